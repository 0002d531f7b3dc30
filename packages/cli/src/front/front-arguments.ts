/**
 * Whether a command line is the front's business, decided without the table of commands and all that hangs on it. Anything that
 * is not plainly `mcp` with options it knows (help, a mistake, --standalone) is left to the command, which says what is wrong.
 */
import { parseArgs } from 'node:util'
import { OptionValues } from '../command-line/option-values.ts'

const TEXTS: ReadonlySet<string> = new Set(['profile', 'workspace', 'timeout', 'home', 'config'])
const FLAGS: ReadonlySet<string> = new Set(['json', 'no-color', 'verbose', 'no-project'])

/** Undefined: not for the front. */
export function readFrontArguments(argv: readonly string[]): OptionValues | undefined {
  if (!argv.includes('mcp')) return undefined
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries([...TEXTS].map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries([...FLAGS].map((name) => [name, { type: 'boolean' as const }])),
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, boolean | string>()
  let commands = 0
  for (const token of tokens) {
    if (token.kind === 'option-terminator') return undefined
    if (token.kind === 'positional') {
      if (token.value !== 'mcp' || ++commands > 1) return undefined
    } else if (TEXTS.has(token.name) && isValue(token)) values.set(token.name, token.value)
    else if (FLAGS.has(token.name) && token.value === undefined) values.set(token.name, true)
    else return undefined
  }
  return commands === 1 ? new OptionValues(values) : undefined
}

/** `--profile --json` is a forgotten value. */
function isValue<T extends { value: string | undefined; inlineValue: boolean | undefined }>(
  token: T,
): token is T & { value: string } {
  return token.value !== undefined && token.value !== '' && (token.inlineValue === true || !token.value.startsWith('-'))
}
