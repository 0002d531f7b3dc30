/** The version of this package; a test compares it with package.json, which a bundle cannot read. */
export const VERSION = '0.1.0'

/** The answer to a command line that asks for the version and nothing else. */
export function answerVersion(argv: readonly string[]): string | undefined {
  const [only] = argv
  return argv.length === 1 && (only === '--version' || only === '-V') ? `switchboard ${VERSION}\n` : undefined
}
