/** What the words behind `call` mean: a tool, or a server and its tool; then the arguments, in whatever form. */
import { UsageError } from '../command-line/usage-error.ts'

export interface CallWords {
  /** As it is exposed, or with `server` by its own name. */
  readonly tool: string
  readonly server?: string
  /** A JSON object, or `-`. */
  readonly json?: string
  /** `key=value` */
  readonly pairs: readonly string[]
}

export function readCallWords(words: readonly string[]): CallWords {
  const [first = '', second, ...others] = words
  if (second === undefined || isArgument(second)) return { tool: first, ...readArguments(words.slice(1)) }
  return { server: first, tool: second, ...readArguments(others) }
}

function isArgument(word: string): boolean {
  return isJson(word) || isPair(word)
}

/** Or what was meant as some: it says itself what is wrong with it. */
function isJson(word: string): boolean {
  return word === '-' || /^\s*[{["]/.test(word)
}

function isPair(word: string): boolean {
  return word.indexOf('=') > 0
}

function readArguments(words: readonly string[]): Pick<CallWords, 'json' | 'pairs'> {
  const [json, another] = words.filter(isJson)
  if (another !== undefined) throw new UsageError('The arguments are one JSON object, not several.', COMMAND)
  const odd = words.find((word) => !isArgument(word))
  if (odd !== undefined) {
    throw new UsageError(`"call" does not know what to do with "${odd}".`, {
      ...COMMAND,
      hint: `Arguments are written key=value, or all of them as one JSON object: '{"key":"value"}'.`,
    })
  }
  return { pairs: words.filter((word) => !isJson(word)), ...(json === undefined ? {} : { json }) }
}

const COMMAND = { command: 'call' }
