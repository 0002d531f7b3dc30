/** Finds calls of test, it, describe and suite with a written name in JavaScript and TypeScript, with their extent. */
import type { FoundTest } from './found-test.ts'
import { blankOutText, type Closings, pairBrackets } from './script-text.ts'

const CALL = /(?<![\w$.#])(test|it|describe|suite)((?:\.[A-Za-z]+)*)\s*(?:<[^()]{0,500}>\s*)?(\(|`)/g
/** More in one file are nobody's tests. */
const MAX_CALLS = 5_000
const NAME = /^\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/

interface Call {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isSuite: boolean
  readonly isParametrised: boolean
}

export function findScriptTests(text: string): FoundTest[] {
  const blank = blankOutText(text)
  const closings = pairBrackets(blank)
  const calls = [...blank.matchAll(CALL)]
    .slice(0, MAX_CALLS)
    .flatMap((match) => readCall(text, blank, closings, match) ?? [])
  const lineOf = createLineFinder(text)
  return calls.map((call) => {
    const parents = calls.filter(({ start, end, isSuite }) => isSuite && start < call.start && call.end <= end)
    return {
      names: [...parents.map(({ name }) => name), call.name],
      line: lineOf(call.start),
      endLine: lineOf(call.end),
      isSuite: call.isSuite,
      isParametrised: call.isParametrised || parents.some(({ isParametrised }) => isParametrised),
    }
  })
}

function readCall(text: string, blank: string, closings: Closings, match: RegExpExecArray): Call | undefined {
  const [whole, kind = '', modifiers = '', opening = ''] = match
  const isEach = /\.(?:each|for)$/.test(modifiers)
  let open = match.index + whole.length - 1
  if (isEach) {
    // The table comes first; the call with the name follows it.
    const end = opening === '`' ? text.indexOf('`', open + 1) : (closings.get(open) ?? -1)
    const next = end === -1 ? -1 : blank.indexOf('(', end)
    if (next === -1 || blank.slice(end + 1, next).trim() !== '') return undefined
    open = next
  } else if (opening === '`') return undefined
  const end = closings.get(open) ?? -1
  const name = NAME.exec(text.slice(open + 1))
  if (end === -1 || name === null) return undefined
  const written = name[1] ?? name[2] ?? name[3] ?? ''
  return {
    name: written.replace(/\\(['"`\\])/g, '$1'),
    start: match.index,
    end,
    isSuite: kind === 'describe' || kind === 'suite',
    isParametrised: isEach || (name[3]?.includes('${') ?? false),
  }
}

function createLineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1
}

/**
 * A regular expression for the full name: what is filled in at run time may be anything. Between suites and tests stands a
 * blank, in newer versions of vitest ` > `.
 */
export function toNamePattern(names: readonly string[], isParametrised: boolean): string {
  const escaped = names.map((name) => {
    const plain = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    return isParametrised ? plain.replace(/%[sdifjoOc#$]|\\\$\\\{.{0,200}?\\\}|\\\$[\w.]+/g, '.*') : plain
  })
  return `${escaped.join(' (?:> )?')}$`
}
