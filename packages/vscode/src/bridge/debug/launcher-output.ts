/** What is printed beside what a program prints. */
import type { JsonObject } from '@switchboard/protocol'
import { readText } from './dap-messages.ts'

/** Node says these when a debugger comes and goes. */
const CHATTER =
  /^(?:Debugger attached\.|Debugger listening on ws:.*|For help, see: https:\/\/nodejs\.org\/.*|Waiting for the debugger to disconnect\.\.\.)$/
/** Of a command that VS Code's debugger for JavaScript has started. */
const MARK = /\[\[bp:[^\]\s]{1,64}\]\]/g

/** Of the session that starts a JavaScript program; undefined: it is nothing of the program's. */
export function withoutChatter(body: JsonObject): JsonObject | undefined {
  const output = readText(body.output)
  if (body.category === 'console' || output === undefined) return undefined
  if (body.category !== 'stderr') return body
  const lines = output.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const kept = lines.filter((line) => !CHATTER.test(line.trimEnd())).join('')
  return kept === '' ? undefined : { ...body, output: kept }
}

/** How the breakpoints of agents mark what they print. */
export function withoutMarks(text: string): string {
  return text.includes('[[bp:') ? text.replace(MARK, '') : text
}
