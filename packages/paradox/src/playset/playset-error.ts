/** A playset that cannot be read: the message says what was found, and what would be one. */
export class PlaysetError extends Error {
  readonly path: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} ${reason}`, { cause })
    this.name = 'PlaysetError'
    this.path = path
  }
}
