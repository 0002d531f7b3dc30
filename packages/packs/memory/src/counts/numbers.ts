/** What is counted of calls. */
import type { JsonObject } from '@switchboard/protocol'

export interface Numbers {
  /** Windows and sessions that called for the first time on that day, as long as the daemon ran. */
  readonly sessions: number
  readonly calls: number
  readonly failed: number
  readonly searches: number
  readonly hits: number
  /** Milliseconds, of all together and of the slowest. */
  readonly ms: number
  readonly slowest: number
  readonly tokens: number
}

export const NO_NUMBERS: Numbers = {
  sessions: 0,
  calls: 0,
  failed: 0,
  searches: 0,
  hits: 0,
  ms: 0,
  slowest: 0,
  tokens: 0,
}

export function addNumbers(one: Numbers, other: Numbers): Numbers {
  return {
    sessions: one.sessions + other.sessions,
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    searches: one.searches + other.searches,
    hits: one.hits + other.hits,
    ms: one.ms + other.ms,
    slowest: Math.max(one.slowest, other.slowest),
    tokens: one.tokens + other.tokens,
  }
}

export function readNumbers(data: JsonObject): Numbers {
  const read = (name: keyof Numbers): number => {
    const value = data[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : 0
  }
  return {
    sessions: read('sessions'),
    calls: read('calls'),
    failed: read('failed'),
    searches: read('searches'),
    hits: read('hits'),
    ms: read('ms'),
    slowest: read('slowest'),
    tokens: read('tokens'),
  }
}
