import type { Frame } from '../engine/debug-session.ts'
import type { DapClient } from './dap-client.ts'
import { refusedAs } from './dap-failure.ts'
import type { DapTraits } from './traits.ts'

/** Files of libraries that have, or had, a breakpoint, or that steps lead to from there: the debugger passes over all others. */
export class LibraryFiles {
  readonly #libraries: DapTraits['libraries']
  readonly #client: DapClient
  readonly #opened = new Set<string>()

  constructor({ libraries }: DapTraits, client: DapClient) {
    this.#libraries = libraries
    this.#client = client
  }

  async open(path: string): Promise<void> {
    if (this.#libraries?.isLibrary(path) !== true || this.#opened.has(path)) return
    this.#opened.add(path)
    const { command, args } = this.#libraries.open([...this.#opened])
    await refusedAs('E_BREAKPOINT_INVALID', this.#client.request(command, args))
  }

  /** Before a step: at its end a function leads to its caller, which must not be passed over. */
  async openCaller(
    readTop: () => Promise<Frame | undefined>,
    evaluate: (expression: string, frameId: number) => Promise<string>,
  ): Promise<void> {
    if (this.#libraries === undefined || this.#opened.size === 0) return
    const top = await readTop()
    if (top?.place === undefined || !this.#libraries.isLibrary(top.place.path)) return
    const caller = await evaluate(this.#libraries.callerOf(top.place.path), top.id)
    await this.open(/^(["'])(.+)\1$/.exec(caller)?.[2] ?? '')
  }
}
