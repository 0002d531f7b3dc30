/**
 * Writes condition, hit count and message of a breakpoint as the one expression that the runtime evaluates when it comes
 * by. Nothing is printed: messages reach us through a binding, so that the program's own output stays as it is.
 */
import type { BreakpointRequest } from '../engine/debug-session.ts'
import { type HitCondition, parseHitCondition } from '../engine/hit-condition.ts'

export const LOG_BINDING = '__switchboard_log'

const HITS = 'globalThis[Symbol.for("switchboard.hits")] ??= Object.create(null)'

/** Prints a value short, in the program, such that a string is not taken for a number. Runs no getters of ours to know. */
export const PRINT_VALUE = `(function print(v, d) {
  if (typeof v === "string") return JSON.stringify(d > 0 && v.length > 200 ? v.slice(0, 200) + "…" : v);
  if (typeof v === "bigint") return v + "n";
  if (typeof v === "function") return "ƒ " + v.name;
  if (typeof v !== "object" || v === null) return Object.is(v, -0) ? "-0" : String(v);
  if (v instanceof Error) return String(v);
  if (v instanceof Date) return isNaN(v) ? "Invalid Date" : v.toISOString();
  if (v instanceof RegExp) return String(v);
  var n = v.constructor && v.constructor.name;
  if (d > 2) return Array.isArray(v) ? "[…]" : (n || "") + "{…}";
  if (v instanceof Map) return "Map(" + v.size + ") {" + [...v].slice(0, 10).map(function (e) { return print(e[0], d + 1) + " → " + print(e[1], d + 1) }).join(", ") + (v.size > 10 ? ", …" : "") + "}";
  if (v instanceof Set) return "Set(" + v.size + ") {" + [...v].slice(0, 10).map(function (e) { return print(e, d + 1) }).join(", ") + (v.size > 10 ? ", …" : "") + "}";
  if (Array.isArray(v) || ArrayBuffer.isView(v)) return "[" + Array.prototype.slice.call(v, 0, 20).map(function (e) { return print(e, d + 1) }).join(", ") + (v.length > 20 ? ", …" : "") + "]";
  var keys = Object.keys(v);
  return (n && n !== "Object" ? n + " " : "") + "{" + keys.slice(0, 20).map(function (k) {
    var p = Object.getOwnPropertyDescriptor(v, k);
    return k + ": " + (p && "value" in p ? print(p.value, d + 1) : "(…)");
  }).join(", ") + (keys.length > 20 ? ", …" : "") + "}";
})`

export function writeCondition(request: BreakpointRequest): string | undefined {
  const { id, condition, hitCondition, logMessage } = request
  const tests: string[] = []
  if (condition !== undefined && condition.trim() !== '') tests.push(writeTest(id, condition))
  if (hitCondition !== undefined && hitCondition.trim() !== '') {
    const key = JSON.stringify(`${id} ${hitCondition}`)
    const test = writeHitTest(parseHitCondition(hitCondition), 'h[k]')
    tests.push(`((h, k) => (h[k] = (h[k] ?? 0) + 1, ${test}))(${HITS}, ${key})`)
  }
  if (logMessage !== undefined) tests.push(`(${writeLog(id, logMessage)}, false)`)
  return tests.length === 0 ? undefined : tests.join(' && ')
}

/**
 * What cannot be evaluated at all stops, so that it is told; what fails for the values of the moment does not hold, and is told
 * as a failure in place of a message, once.
 */
function writeTest(id: string, condition: string): string {
  const tell = `((h, k) => h[k] ??= (globalThis.${LOG_BINDING}?.(JSON.stringify([${JSON.stringify(id)}, null, String(e)])), 1))`
  const key = JSON.stringify(`${id} failed`)
  return `(() => { try { return (${condition}\n) } catch (e) { return e instanceof ReferenceError || (${tell}(${HITS}, ${key}), false) } })()`
}

/** An expression over the number of hits so far, this one included. */
function writeHitTest({ operator, count }: HitCondition, hits: string): string {
  return operator === '%' ? `${hits} % ${count} === 0` : `${hits} ${operator} ${count}`
}

export type MessagePart = { readonly text: string } | { readonly expression: string }

/** `{…}` is an expression, braces inside it are counted; `{{` is a brace. One that does not end is text. */
export function splitLogMessage(message: string): MessagePart[] {
  const parts: MessagePart[] = []
  let text = ''
  for (let index = 0; index < message.length; index++) {
    const end = message[index] === '{' ? findClosingBrace(message, index) : -1
    if (message.startsWith('{{', index)) {
      text += '{'
      index += 1
    } else if (end > index + 1) {
      if (text !== '') parts.push({ text })
      text = ''
      parts.push({ expression: message.slice(index + 1, end) })
      index = end
    } else text += message[index]
  }
  if (text !== '') parts.push({ text })
  return parts
}

function findClosingBrace(message: string, from: number): number {
  let depth = 0
  for (let index = from; index < message.length; index++) {
    if (message[index] === '{') depth += 1
    else if (message[index] === '}' && --depth === 0) return index
  }
  return -1
}

function writeLog(id: string, message: string): string {
  const pieces = splitLogMessage(message).map((part) =>
    'text' in part
      ? JSON.stringify(part.text)
      : `(() => { try { return __switchboardPrint((${part.expression}\n), 0) } catch (e) { return "<" + e + ">" } })()`,
  )
  return `((__switchboardPrint) => globalThis.${LOG_BINDING}?.(JSON.stringify([${JSON.stringify(id)}, [${pieces.join(', ')}].join("")])))(${PRINT_VALUE})`
}
