import type { ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import type { LensDiagnosticsData, LensDiagnosticsParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'

const MAX_LINE = 200

export async function run(
  { path, code, severity, limit, offset }: LensDiagnosticsParams,
  context: Context,
): Promise<ToolOutcome<LensDiagnosticsData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const query = { scope, path, code, severity, limit, offset }
  const { about, total, counts, items } = await host.index.read('diagnostics', [query], signal)
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
    describeIndex(about),
  ].join('\n')
  return { data: { index: about, total, counts: [...counts], items: [...items] }, text }
}
