/** Messages of the inspector protocol to one thread of a program: by a socket, or by the connection of its main thread. */
export interface MessagePipe {
  listen(on: {
    message: (text: string) => void
    /** A message beyond all bounds was thrown away; this is how it began. */
    tooLarge: (beginning: string) => void
    close: (reason: string) => void
  }): void
  send(text: string): void
  close(): void
}
