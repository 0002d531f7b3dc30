import { type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { DebugProbeData, DebugProbeParams } from '../generated/types.ts'
import { showText } from '../snapshot/show-value.ts'
import { checkLine } from '../tool-steps/check-line.ts'
import { withPrivateSession } from '../trace/private-session.ts'
import { type ProbeReport, probeProgram } from '../trace/probe-program.ts'
import { resolveTarget } from '../trace/resolve-target.ts'

/** Kept of a call's time for what comes after the run. */
const RESERVE_MS = 1_500
const MAX_OUTPUT = 300

export async function run(params: DebugProbeParams, context: DebugContext): Promise<ToolOutcome<DebugProbeData>> {
  const paths = pathsOf(context)
  const deadline = performance.now() + Math.min(params.timeoutMs, context.budgetMs - RESERVE_MS)
  const points = params.points.map(({ path, line, expressions, condition }) => {
    const file = paths.resolveFile(path)
    checkLine(file, line, paths)
    return { path: file, line, expressions, ...(condition === undefined ? {} : { condition }) }
  })
  const request = await resolveTarget(context, params)
  if (request === undefined) {
    throw new WrongArguments([{ field: '', problem: 'need program or test' }])
  }
  const budget = {
    signal: context.signal,
    deadline,
    maxHits: params.maxHits,
    maxBytes: params.maxBytes,
    masking: context.host.masking,
  }
  const report = await withPrivateSession(context, { request, paths }, (session) =>
    probeProgram(session, points, budget),
  )
  const shown = points.map(({ path, line, expressions }, index) => ({
    path: paths.show(path),
    line,
    expressions,
    ...(report.points[index] ?? { hits: 0, bound: false }),
  }))
  const { masking } = context.host
  const output = showText(report.output, { paths, masking }).trim().slice(-MAX_OUTPUT)
  return {
    data: {
      hits: report.hits.map(({ point, values }) => ({ point, values: [...values] })),
      points: shown.map(({ expressions: _, ...point }) => point),
      outcome: report.outcome,
      ...(report.exitCode === undefined ? {} : { exitCode: report.exitCode }),
      ...(output === '' ? {} : { output }),
    },
    text: describeReport(report, shown, output),
  }
}

interface ShownPoint {
  readonly path: string
  readonly line: number
  readonly expressions: readonly string[]
  readonly hits: number
  readonly bound: boolean
  readonly movedTo?: number
  readonly message?: string
  readonly failure?: string
}

function describeReport(report: ProbeReport, points: readonly ShownPoint[], output: string): string {
  const rows = report.hits.map(({ point, values }) => {
    const { path = '', line = 0, movedTo = line, expressions = [] } = points[point] ?? {}
    const isWhole = values.length === expressions.length
    const list = values.map((value, index) => (isWhole ? `${expressions[index]}=${value}` : value))
    return `${path}:${movedTo} ${list.join(' ')}`
  })
  const counts = points
    .filter(({ hits }, index) => hits !== report.hits.filter(({ point }) => point === index).length || hits === 0)
    .map(({ path, line, hits, bound, message, failure }) => {
      if (hits === 0 && failure !== undefined)
        return `${path}:${line} was reached, and its condition failed: ${failure}`
      if (hits > 0) return `${path}:${line} was reached ${hits} times; the first are shown`
      return `${path}:${line} was never reached${bound ? '' : ` (not bound${message === undefined ? '' : `: ${message}`})`}`
    })
  const moved = points.flatMap(({ path, line, movedTo }) =>
    movedTo === undefined ? [] : `${path}:${line} has no code that runs: line ${movedTo} was watched`,
  )
  return [...rows, ...moved, ...counts, describeEnd(report), ...(output === '' ? [] : [`out: ${output}`])].join('\n')
}

function describeEnd({ outcome, exitCode, error }: ProbeReport): string {
  if (outcome === 'time') return 'The time was over and the program was ended'
  if (error !== undefined) return `The program ended: ${error}`
  return typeof exitCode === 'number' ? `The program ended with exit code ${exitCode}` : 'The program ended'
}
