import type { ExceptionMode, SessionCapabilities } from '../engine/debug-session.ts'
import type { JsonMembers } from '../json-values.ts'
import type { DapTraits } from './traits.ts'

/** What the session can do: the adapter's word, corrected by what is known of it, plus what we emulate. */
export function toCapabilities(adapter: JsonMembers, traits: DapTraits): SessionCapabilities {
  const conditions = adapter.supportsConditionalBreakpoints === true
  const functionBreakpoints = adapter.supportsFunctionBreakpoints === true && traits.functionBreakpoints !== false
  return {
    conditions,
    // Counted or printed by us where the adapter cannot.
    hitConditions: true,
    logpoints: true,
    setVariable: traits.setVariable === 'assignment' || adapter.supportsSetVariable === true,
    pause: true,
    // The keys of the table are modes; some need breakpoints on functions.
    exceptions: (Object.keys(traits.exceptionFilters) as ExceptionMode[]).filter(
      (mode) => functionBreakpoints || traits.panicFunctions?.[mode] === undefined,
    ),
    functionBreakpoints,
    restart: false,
    children: traits.children === true,
  }
}
