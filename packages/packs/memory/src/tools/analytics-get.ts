import { type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { toDay } from '../counts/call-counts.ts'
import { addNumbers, NO_NUMBERS } from '../counts/numbers.ts'
import { type DayRange, readCounts } from '../counts/read-counts.ts'
import type { AnalyticsGetData, AnalyticsGetParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { NOBODY, resolveProject } from '../projects/projects.ts'

const DAY_MS = 86_400_000
const DAYS = { daily: 1, weekly: 7, monthly: 30 } as const
/** Nothing is older. */
const EVER = '2020-01-01'

export async function run(
  params: AnalyticsGetParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<AnalyticsGetData>> {
  const { period, projectPath } = params
  // A window without a folder sees what such windows did.
  const isNobody = projectPath === undefined && workspace === undefined
  const scope = isNobody ? NOBODY : resolveProject(projectPath, workspace).scope
  const range = rangeOf(params, host.clock.wallTime())
  await host.counts.write()
  const byTool = await readCounts(await host.space('counts'), scope, range, { signal })
  const { sessions, calls, failed, searches, hits, tokens } = [...byTool.values()].reduce(addNumbers, NO_NUMBERS)
  const tools = [...byTool]
    .map(([tool, numbers]) => ({
      tool,
      calls: numbers.calls,
      failed: numbers.failed,
      meanMs: round(numbers.ms / Math.max(1, numbers.calls)),
      slowestMs: round(numbers.slowest),
      searches: numbers.searches,
      hits: numbers.hits,
      tokens: numbers.tokens,
    }))
    .sort((one, other) => other.calls - one.calls || (one.tool < other.tool ? -1 : 1))
  const hitRate = searches === 0 ? null : round(hits / searches)
  const data = {
    ...{
      period,
      startDate: range.from,
      endDate: range.to,
      sessions,
      calls,
      failed,
      searches,
      hits,
      hitRate,
      tokens,
      tools,
    },
  }
  return { data, text: describe(data) }
}

function describe({
  startDate,
  endDate,
  sessions,
  calls,
  failed,
  searches,
  hits,
  tokens,
  tools,
}: AnalyticsGetData): string {
  if (calls === 0) return `Nothing was called from ${startDate} to ${endDate}.`
  const head = `${startDate} to ${endDate}: ${calls} calls of ${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${failed} failed; ${hits} of ${searches} searches found something; ${tokens} tokens returned.`
  const lines = tools.map(
    (tool) =>
      `${tool.tool}: ${tool.calls} ${tool.calls === 1 ? 'call' : 'calls'}, mean ${tool.meanMs} ms, slowest ${tool.slowestMs} ms`,
  )
  return [head, ...lines].join('\n')
}

function rangeOf({ period, startDate, endDate }: AnalyticsGetParams, now: number): DayRange {
  for (const [field, day] of Object.entries({ startDate, endDate })) {
    if (day !== undefined && !isDay(day)) throw new WrongArguments([{ field, problem: `${day} is no day` }])
  }
  const to = endDate ?? toDay(now)
  const last = Date.parse(`${to}T00:00:00Z`)
  const from = startDate ?? (period === 'all-time' ? EVER : toDay(last - (DAYS[period] - 1) * DAY_MS))
  if (from > to) throw new WrongArguments([{ field: 'startDate', problem: `${from} is after ${to}` }])
  return { from, to }
}

/** The thirtieth of February is none. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && toDay(time) === text
}

function round(value: number): number {
  return Math.round(100 * value) / 100
}
