/**
 * Collects everything that is wrong with one configuration and reports it as one error: half a configuration is
 * never used, but for entries that stand for themselves, whose problems can be taken out of the list.
 * Values of secret fields never come here; the callers pass only what may be shown.
 */
import { SwitchboardError } from '@switchboard/protocol/errors'

export type KeyPath = readonly (string | number)[]

export interface ConfigProblem {
  readonly file?: string
  /** From 1. Absent for a configuration that was passed as an object. */
  readonly line?: number
  /** From 1, in UTF-16 units, as editors count. */
  readonly column?: number
  readonly key: string
  readonly problem: string
  readonly expected: string
  /** The value seen, shortened; absent where it may be a secret. */
  readonly seen?: string
  readonly nearest?: string
}

export interface ProblemReport {
  readonly path: KeyPath
  readonly offset?: number | undefined
  readonly problem: string
  readonly expected: string
  readonly seen?: string | undefined
  readonly nearest?: string | undefined
}

export class ProblemList {
  readonly #file: string | undefined
  readonly #text: string | undefined
  #reports: ProblemReport[] = []

  constructor(file?: string, text?: string) {
    this.#file = file
    this.#text = text
  }

  /** Returns undefined, so that a reader can report and give up in one step. */
  report(report: ProblemReport): undefined {
    this.#reports.push(report)
  }

  /** As they were reported. */
  get reports(): readonly ProblemReport[] {
    return this.#reports
  }

  /** In the order of the text, each with its place. */
  list(): readonly ConfigProblem[] {
    return this.#list(this.#reports)
  }

  /** Takes out what is wrong inside of the entries of a key, by entry. */
  takeEntries(key: string): ReadonlyMap<string, readonly ConfigProblem[]> {
    const isInside = ({ path }: ProblemReport): boolean => path[0] === key && path.length > 1
    const byEntry = Map.groupBy(this.#reports.filter(isInside), ({ path }) => String(path[1]))
    this.#reports = this.#reports.filter((report) => !isInside(report))
    return new Map([...byEntry].map(([entry, reports]) => [entry, this.#list(reports)]))
  }

  throwOnAny(): void {
    if (this.#reports.length > 0) throw this.#createError()
  }

  throwOne(report: ProblemReport): never {
    this.report(report)
    throw this.#createError()
  }

  #createError(): SwitchboardError {
    const problems = this.list()
    const lines = problems.map(formatProblem)
    const heading = lines.length === 1 ? [] : [`${lines.length} problems in ${this.#file ?? 'the configuration'}:`]
    return new SwitchboardError('invalid_configuration', [...heading, ...lines].join('\n'), { details: { problems } })
  }

  #list(reports: readonly ProblemReport[]): readonly ConfigProblem[] {
    return reports
      .toSorted((left, right) => (left.offset ?? 0) - (right.offset ?? 0))
      .map((report) => this.#locate(report))
  }

  #locate({ path, offset, problem, expected, seen, nearest }: ProblemReport): ConfigProblem {
    const position = this.#text === undefined || offset === undefined ? {} : findPosition(this.#text, offset)
    return {
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...position,
      key: formatKeyPath(path),
      problem,
      expected,
      ...(seen === undefined ? {} : { seen }),
      ...(nearest === undefined ? {} : { nearest }),
    }
  }
}

/** `config.json:9:7: mcpServers.tracker.timout: unknown key. Expected …` */
export function formatProblem({ file, line, column, key, ...what }: ConfigProblem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const parts = [place, key].filter((part) => part !== '')
  return [...parts, explainProblem(what)].join(': ')
}

/** `unknown key. Expected a key of a queue: concurrent. Did you mean "concurrent"?` */
export function explainProblem({
  problem,
  expected,
  nearest,
}: Pick<ProblemReport, 'problem' | 'expected' | 'nearest'>): string {
  return `${problem}. Expected ${expected}.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`
}

/** `mcpServers.shell.args[0]`; a name that would be misread is quoted: `mcpServers["a.b"]`. */
export function formatKeyPath(path: KeyPath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!/^[\w$-]+$/.test(part)) text += `[${JSON.stringify(part.slice(0, 80))}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

/** Line ends are \n, \r\n and a lone \r, as editors count them. */
export function findPosition(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let lineStart = 0
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index + end.length > offset) break
    line++
    lineStart = index + end.length
  }
  return { line, column: offset - lineStart + 1 }
}
