/** VS Code's own debugger for JavaScript, as an adapter. */
import type { LogPiece } from '../dap/log-marks.ts'
import type { DapTraits } from '../dap/traits.ts'
import { PRINT_VALUE } from '../inspector/breakpoint-condition.ts'
import { tidyFrameName, tidyValue } from './js-debug-values.ts'

export const JS_DEBUG_TRAITS: DapTraits = {
  language: 'node',
  exceptionFilters: { none: [], uncaught: ['uncaught'], all: ['all', 'uncaught'] },
  paging: 'indexed',
  hitCondition: (operator, count) => `${operator}${count}`,
  wrapCondition,
  logpoints: 'native',
  wrapLogMessage,
  setVariable: 'native',
  keepsOldValues: true,
  children: true,
  hidesVariable: (name) => /^(?:\[\[.*\]\]|this|Return value)$/.test(name),
  frameName: tidyFrameName,
  tidyValue,
  // In the others long texts are cut, in the middle.
  evaluateContext: () => 'variables',
}

/**
 * The debugger passes over a condition that fails. One that names what is not there holds, so that it is told; one that fails for the
 * values of the moment does not, and says so once.
 */
function wrapCondition(condition: string, mark: string): string {
  const tell = `((h) => h[k] ??= (process.stderr.write(k + e + "\\n"), 1))(globalThis[Symbol.for("switchboard.failed")] ??= Object.create(null))`
  return `(() => { const k = ${JSON.stringify(mark)}; try { return (${condition}\n) } catch (e) { return e instanceof ReferenceError || (${tell}, false) } })()`
}

/** The debugger prints by console.log, which breaks long values into lines unless a value says itself how it is shown. */
function wrapLogMessage(pieces: readonly LogPiece[]): string {
  const parts = pieces.map((piece) =>
    typeof piece === 'string'
      ? // Braces of the text would be counted.
        JSON.stringify(piece).replaceAll('{', '\\x7b').replaceAll('}', '\\x7d')
      : `(() => { try { return p((${piece.expression}\n), 0) } catch (e) { return "<" + e + ">" } })()`,
  )
  const text = `[${parts.join(', ')}].join("").replace(/\\n/g, "\\\\n")`
  return `{((p) => { const t = ${text}; return { [Symbol.for("nodejs.util.inspect.custom")]: () => t } })(${PRINT_VALUE})}`
}
