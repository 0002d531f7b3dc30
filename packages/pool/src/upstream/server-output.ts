/** What a server says besides its answers: kept at its end for errors and `status`, and in its log as far as that is bearable. */
import type { Clock } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { createLimitedLogger, type Logger, PrivateKeyLines } from '@switchboard/telemetry'
import { guessLevel, OutputTail } from './output-tail.ts'

export class ServerOutput {
  readonly #tail = new OutputTail()
  readonly #log: Logger
  readonly #keys = new PrivateKeyLines()

  constructor(log: Logger, clock: Clock) {
    this.#log = createLimitedLogger(log, { clock })
  }

  /** Of stderr, the last ones. */
  lines(count?: number): string[] {
    return this.#tail.lines(count)
  }

  /** A line that is not the protocol. */
  push(stream: 'stdout' | 'stderr', line: string): void {
    if (stream === 'stdout') this.#log.warn('server.stdout', line)
    else {
      const kept = this.#keys.hide(line)
      this.#tail.push(kept)
      this.#log[guessLevel(kept)]('server.stderr', kept)
    }
  }

  /** A log message of the protocol that belongs to no call. */
  note(params: JsonObject): void {
    this.#log.info('server.message', typeof params.data === 'string' ? params.data : 'log message', params)
  }
}
