/** Cuts a stream of server-sent events into its blocks, however its chunks were cut. */
export interface SseEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  /** Empty where there is none. */
  readonly data: string
}

export class EventReader {
  readonly #onEvent: (event: SseEvent) => void
  readonly #onComment: (comment: string) => void
  #rest = ''

  constructor(onEvent: (event: SseEvent) => void, onComment: (comment: string) => void = () => {}) {
    this.#onEvent = onEvent
    this.#onComment = onComment
  }

  push(chunk: string): void {
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) this.#onComment(block.slice(2))
      else this.#onEvent(readEvent(block))
    }
  }
}

function readEvent(block: string): SseEvent {
  const values = (name: string): string[] =>
    block.split('\n').flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []))
  return { id: values('id').at(-1), event: values('event').at(-1), data: values('data').join('\n') }
}
