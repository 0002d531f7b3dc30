/** What Node says went wrong (`ENOENT`, `ECONNRESET`); undefined when the error has no such code. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
