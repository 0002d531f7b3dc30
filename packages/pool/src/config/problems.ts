/**
 * Collects everything that is wrong with one configuration and reports it as one error: half a configuration is
 * never used. Values of secret fields never come here; the callers pass only what may be shown.
 */
import { SwitchboardError } from '@switchboard/protocol'

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
  readonly #reports: ProblemReport[] = []

  constructor(file?: string, text?: string) {
    this.#file = file
    this.#text = text
  }

  /** Returns undefined, so that a reader can report and give up in one step. */
  report(report: ProblemReport): undefined {
    this.#reports.push(report)
  }

  throwOnAny(): void {
    if (this.#reports.length > 0) throw this.#createError()
  }

  throwOne(report: ProblemReport): never {
    this.report(report)
    throw this.#createError()
  }

  #createError(): SwitchboardError {
    const problems = this.#reports
      .toSorted((left, right) => (left.offset ?? 0) - (right.offset ?? 0))
      .map((report) => this.#locate(report))
    const lines = problems.map(formatProblem)
    const heading = lines.length === 1 ? [] : [`${lines.length} problems in ${this.#file ?? 'the configuration'}:`]
    return new SwitchboardError('invalid_configuration', [...heading, ...lines].join('\n'), { details: { problems } })
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

function formatProblem({ file, line, column, key, problem, expected, nearest }: ConfigProblem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const parts = [place, key].filter((part) => part !== '')
  const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `${[...parts, problem].join(': ')}. Expected ${expected}.${question}`
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
