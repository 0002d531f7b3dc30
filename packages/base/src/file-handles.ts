/**
 * How many files, pipes and sockets this process may have open, and how many it has. Windows has no such limit; whatever
 * cannot be told is undefined, and then nothing is bounded by it.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Nobody runs out of more, and counting them would take longer than it is worth. */
const PLENTY = 65_536

let known: { readonly limit: number | undefined } | undefined

/** Looked up once: it does not change while we run. */
export function readFileLimit(): number | undefined {
  known ??= { limit: process.platform === 'linux' ? readFromProc() : readFromReport() }
  return known.limit
}

/** How many more can be opened. Undefined: plenty, or it cannot be told. */
export function countFreeHandles(): number | undefined {
  const limit = readFileLimit()
  if (limit === undefined || limit > PLENTY) return undefined
  try {
    // The listing itself takes one, which is given back.
    return limit - readdirSync('/dev/fd').length + 1
  } catch {
    return 0
  }
}

function readFromProc(): number | undefined {
  try {
    return parseLimits(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return undefined
  }
}

/** `Max open files            1024                 524288               files` */
export function parseLimits(text: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(text) ?? []
  return soft === undefined ? undefined : Number(soft)
}

/** macOS and its kin: Node itself tells, in a report of which the rest is thrown away. */
function readFromReport(): number | undefined {
  if (process.platform === 'win32') return undefined
  const report: unknown = process.report?.getReport()
  const soft = (report as { userLimits?: { open_files?: { soft?: unknown } } } | undefined)?.userLimits?.open_files
    ?.soft
  return typeof soft === 'number' ? soft : undefined
}
