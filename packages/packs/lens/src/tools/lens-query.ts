import { refuseUnlessSelect } from '@switchboard/store/tables'
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import type { LensQueryData, LensQueryParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import { KEPT } from '../tables/versions.ts'

const LIMIT_MS = 5_000
/** Of all rows together. */
const MAX_BYTES = 100_000
const MAX_CELL = 120
/** They are told anew for who asks: in a text it costs the time, and shows nothing. */
const NAMES_CONFLICTS = /\bconflicts\b/i

export async function run({ sql, limit }: LensQueryParams, context: Context): Promise<ToolOutcome<LensQueryData>> {
  const { host, signal } = context
  const refusal = refuseUnlessSelect(sql, KEPT)
  if (refusal !== undefined) throw new ToolError('E_INVALID_SQL', refusal)
  const scope = await scopeOf(context)
  const playset = NAMES_CONFLICTS.test(sql) ? await judgedPlayset(context) : undefined
  const about = await host.index.read('about', [scope], signal)
  const order = { file: host.index.file, sql, scope, playset, maxRows: limit, maxBytes: MAX_BYTES }
  const answer = await host.index.queries.run(order, { limitMs: LIMIT_MS, signal })
  if (answer === 'timeout')
    throw new ToolError('E_QUERY_TIMEOUT', `It took longer than ${LIMIT_MS / 1_000} s and was ended`)
  if ('problem' in answer) throw new ToolError('E_INVALID_SQL', `SQLite says: ${answer.problem}`)
  const { columns, rows, isCut } = answer
  const text = [
    columns.join(' | '),
    ...rows.map((row) => row.map((cell) => cutLine(String(cell ?? ''), MAX_CELL)).join(' | ')),
    ...(isCut ? [`… cut after ${rows.length} rows: give limit, or ask for less`] : []),
    describeIndex(about),
  ].join('\n')
  return { data: { index: about, columns: [...columns], rows: rows.map((row) => [...row]), truncated: isCut }, text }
}

async function judgedPlayset({ host, call, workspace, signal }: Context): Promise<number> {
  const open = await host.playsets.open(call.caller, workspace, signal)
  await host.index.waitForIdle(30_000, signal)
  return (await host.playsets.judge(open)).id
}
