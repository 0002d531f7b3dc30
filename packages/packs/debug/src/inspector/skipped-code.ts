/**
 * The code that a step passes over: the runtime's own, that of libraries, and what the person has named. A library's file
 * that somebody looks into is stepped through: it has a breakpoint, or the program stands in it and is asked to step. The
 * runtime would leave a frame that it is to pass over, up to a caller that it is not, or to the end of the program.
 */
import { urlPattern } from './breakpoint-binder.ts'
import { HOOK_PATTERN } from './hook-source.ts'
import type { InspectorClient } from './inspector-client.ts'
import type { WorkspaceNames } from './script-table.ts'

export class SkippedCode {
  readonly #client: InspectorClient
  readonly #names: WorkspaceNames
  /** Addresses, as patterns. */
  readonly #opened = new Set<string>()
  #isLifted = false

  constructor(client: InspectorClient, names: WorkspaceNames) {
    this.#client = client
    this.#names = names
  }

  /** Tells the runtime. */
  async apply(): Promise<void> {
    if (this.#isLifted) return
    await this.#client.request('Debugger.setBlackboxPatterns', { patterns: this.#patterns })
  }

  /** Whether steps pass over the script of that address. */
  covers(url: string): boolean {
    return this.#patterns.some((pattern) => new RegExp(pattern).test(url))
  }

  get #patterns(): string[] {
    const libraries = this.#names.stepsIntoLibraries ? [] : ['/node_modules/']
    const passed = [...libraries, ...this.#names.skipPatterns].map((pattern) => `(?:${pattern})`).join('|')
    const opened = [...this.#opened].map((pattern) => `(?!${pattern})`).join('')
    return ['^node:', HOOK_PATTERN, ...(passed === '' ? [] : [`^${opened}(?=.*(?:${passed}))`])]
  }

  /** For as long as nobody steps: an older runtime is silent about exceptions that are thrown by what it passes over. */
  async lift(isLifted: boolean): Promise<void> {
    if (this.#isLifted === isLifted) return
    this.#isLifted = isLifted
    if (isLifted) await this.#client.request('Debugger.setBlackboxPatterns', { patterns: [HOOK_PATTERN] })
    else await this.apply()
  }

  /** From now on the first file is stepped through, and so are the others, its callers: there its steps lead to. */
  async open([path, ...callers]: readonly (string | undefined)[]): Promise<void> {
    if (path === undefined || !this.#isPassed(path)) return
    const patterns = [path, ...callers].flatMap((file) =>
      file === undefined ? [] : urlPattern(this.#names.toRemote(file)),
    )
    const known = this.#opened.size
    for (const pattern of patterns) this.#opened.add(pattern)
    if (this.#opened.size > known) await this.apply()
  }

  #isPassed(path: string): boolean {
    return !this.#names.isOwn(path) || this.#names.skipPatterns.length > 0
  }
}
