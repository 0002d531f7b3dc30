import { join } from 'node:path'
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import type { LensGameLogData, LensGameLogParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import type { OpenPlayset } from '../playset/playsets.ts'
import { resolvePath } from '../workspaces.ts'

const MAX_MESSAGE = 220

export async function run(
  { log, path, mod, limit }: LensGameLogParams,
  context: Context,
): Promise<ToolOutcome<LensGameLogData>> {
  const { host, call, workspace, signal } = context
  // Without a playset the log is read all the same, only that nobody knows whose a file is.
  const opened = await host.playsets.open(call.caller, workspace, signal).catch(() => undefined)
  if (opened !== undefined) await host.index.waitForIdle(20_000, signal)
  const file = path === undefined ? fileOf(opened, log) : await ownFile(context, path)
  const analysis = await host.index.read('gameLog', [opened?.judged, file], signal)
  if ('problem' in analysis) throw new ToolError('E_LOG_NOT_FOUND', `${file} cannot be read: ${analysis.problem}`)
  const about = opened && (await host.index.read('about', [opened.judged.parts], signal))
  const wanted = analysis.groups.filter(
    (group) => mod === undefined || group.mod?.toLowerCase().includes(mod.toLowerCase()) === true,
  )
  const groups = wanted.slice(0, limit).map((group) => ({
    ...{
      category: group.category,
      message: cutLine(group.message, MAX_MESSAGE),
      count: group.count,
      cascade: group.cascade,
    },
    ...(group.mod === undefined ? {} : { mod: group.mod }),
    places: group.places.map((place) => `${place.path}${place.line === undefined ? '' : `:${place.line}`}`),
    isConsequence: group.cause !== undefined,
  }))
  const text = [
    `${file}: ${analysis.entries} messages; ${analysis.categories.map((row) => `${row.category} ${row.count}`).join(', ')}`,
    ...groups.map((group) => {
      const follows = group.cascade > 0 ? `, ${group.cascade} follow from it` : ''
      const of = group.mod === undefined ? '' : ` [${group.mod}]`
      return `${group.isConsequence ? '  ' : ''}${group.count}× ${group.category}${of}${follows}: ${group.message} ${group.places.slice(0, 2).join(', ')}`
    }),
    ...(wanted.length > groups.length ? [`… ${wanted.length - groups.length} more: give limit`] : []),
    ...(about === undefined ? [] : [describeIndex(about)]),
  ].join('\n')
  const { entries, categories, mods } = analysis
  const data = { file, entries, categories: [...categories], mods: [...mods], total: wanted.length, groups }
  return { data: { ...(about === undefined ? {} : { index: about }), ...data }, text }
}

function fileOf(opened: OpenPlayset | undefined, log: string): string {
  if (opened?.logsFolder === undefined)
    throw new ToolError('E_LOG_NOT_FOUND', 'Nobody has said where the game writes its logs')
  return join(opened.logsFolder, `${log}.log`)
}

async function ownFile(context: Context, path: string): Promise<string> {
  const found = resolvePath(await scopeOf(context), path)
  return join(found.rootPath, found.path)
}
