import type { ToolContext, ToolOutcome } from '@switchboard/toolkit'
import type { DapCompareData, DapCompareParams } from '../generated/types.ts'
import { compareCaptures } from '../output/compare-captures.ts'
import { createSilence, type OutputHost, selectCapture } from '../output/select-capture.ts'

const SHOWN = 50

export function run(
  { sessionA, sessionB, compareBy }: DapCompareParams,
  { host, call }: ToolContext<OutputHost>,
): ToolOutcome<DapCompareData> {
  const a = selectCapture(host, call, sessionA, 'E_SESSION_NOT_FOUND')
  const b = selectCapture(host, call, sessionB, 'E_SESSION_NOT_FOUND')
  for (const capture of [a, b]) {
    if (compareBy === 'outputs' && capture.lines().length === 0) {
      throw createSilence('E_INSUFFICIENT_DATA', [capture])
    }
  }
  const all = compareCaptures(a, b, compareBy)
  const differences = all.slice(0, SHOWN)
  const data = { compareBy, same: all.length === 0, differences, truncated: all.length > differences.length }
  const lines = differences.map(({ what, a: left = '-', b: right = '-' }) => `${what}: ${left} | ${right}`)
  const head =
    all.length === 0
      ? `${sessionA} and ${sessionB} are the same by ${compareBy}`
      : `${all.length} differences by ${compareBy}: ${sessionA} | ${sessionB}`
  return { data, text: [head, ...lines].join('\n') }
}
