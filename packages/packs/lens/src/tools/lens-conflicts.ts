import type { ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import { showConflict, toConflictData } from '../answers/show-conflict.ts'
import type { LensConflictsData, LensConflictsParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run(
  { class: type, mod, folder, kind, name, intended, limit, offset }: LensConflictsParams,
  { host, call, workspace, signal }: Context,
): Promise<ToolOutcome<LensConflictsData>> {
  const open = await host.playsets.open(call.caller, workspace, signal)
  const { name: playset, judged } = open
  await host.index.waitForIdle(30_000, signal)
  const { id, generation, report } = await host.playsets.judge(open)
  const query = { playset: id, class: type, mod, folder, kind, name, withIntended: intended, limit, offset }
  const { total, folders, items } = await host.index.read('conflicts', [query], signal)
  const about = await host.index.read('about', [judged.parts], signal)
  const { classes, lostKeys, agreement, notJudged } = report
  const rest = total - offset - items.length
  const text = [
    `${playset}: ${classes.map((row) => `${row.class} ${row.open} (of ${row.count})`).join(', ') || 'no conflicts'}; ${lostKeys} keys lost`,
    ...(agreement === undefined
      ? []
      : [
          `the game's own log: ${agreement.agree} agree, ${agreement.differs} differ, ${agreement.unknown} unknown to the index`,
        ]),
    `${total} of this selection${
      total === 0
        ? ''
        : `, most in ${folders
            .slice(0, 3)
            .map((row) => `${row.folder} ${row.count}`)
            .join(', ')}`
    }`,
    ...items.map((item) => showConflict(item.id, item.conflict, judged.layers, name !== undefined)),
    ...(rest > 0 ? [`… ${rest} more: offset ${offset + items.length}`] : []),
    describeIndex(about),
  ].join('\n')
  return {
    data: {
      ...{ index: about, playset, generation, total, lostKeys, notJudged: [...notJudged] },
      classes: [...classes],
      folders: [...folders],
      ...(agreement === undefined ? {} : { agreement }),
      items: items.map((item) => toConflictData(item.id, item.conflict, judged.layers)),
    },
    text,
  }
}
