import type { ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import type { LensDiagnosticsData, LensDiagnosticsParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import type { DiagnosticsQuery, DiagnosticsResult } from '../thread/reader/diagnostics.ts'

const MAX_LINE = 200

export async function run(
  { path, code, severity, playset, limit, offset }: LensDiagnosticsParams,
  context: Context,
): Promise<ToolOutcome<LensDiagnosticsData>> {
  const query = { path, code, severity, limit, offset }
  const found = playset ? await judgePlayset(context, query) : await lookAtFiles(context, query)
  const { about, total, counts, items, notJudged = [] } = found
  const rest = total - offset - items.length
  const text = [
    total === 0 ? 'No problems.' : `${total} problems: ${counts.map((row) => `${row.code} ${row.count}`).join(', ')}`,
    ...items.map((item) => {
      const expected = item.expected === undefined ? '' : ` Expected: ${item.expected}.`
      return cutLine(
        `  ${item.path}:${item.line}:${item.column} ${item.severity} ${item.code}: ${item.message}${expected}`,
        MAX_LINE,
      )
    }),
    ...(rest > 0 ? [`  … ${rest} more: offset ${offset + items.length}`] : []),
    ...notJudged.map((line) => `not judged: ${line}`),
    describeIndex(about),
  ].join('\n')
  const more = notJudged.length === 0 ? {} : { notJudged: [...notJudged] }
  return { data: { index: about, total, counts: [...counts], items: [...items], ...more }, text }
}

type Query = Omit<DiagnosticsQuery, 'scope'>
type Found = DiagnosticsResult & { readonly notJudged?: readonly string[] }

async function lookAtFiles(context: Context, query: Query): Promise<Found> {
  const scope = await scopeOf(context)
  return context.host.index.read('diagnostics', [{ scope, ...query }], context.signal)
}

async function judgePlayset({ host, call, workspace, signal }: Context, query: Query): Promise<Found> {
  const open = await host.playsets.open(call.caller, workspace, signal)
  const { judged } = open
  await host.index.waitForIdle(30_000, signal)
  const { id, report } = await host.playsets.judge(open)
  const found = await host.index.read('playsetProblems', [{ playset: id, scope: judged.parts, ...query }], signal)
  const nameOf = (layer: number): string => judged.layers[layer]?.name ?? '?'
  const items = found.items.map(({ layer, path, ...item }) => ({
    ...item,
    path: `${nameOf(layer)}: ${path}`,
    column: 1,
  }))
  return { ...found, items, notJudged: report.notJudged }
}
