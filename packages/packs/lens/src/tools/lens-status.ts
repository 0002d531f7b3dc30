import type { ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import type { LensStatusData, LensStatusParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'

export async function run(_params: LensStatusParams, context: Context): Promise<ToolOutcome<LensStatusData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const state = await host.index.refresh()
  const facts = await host.index.read('status', [scope], signal)
  const isoOf = (time: number): string => new Date(time).toISOString()
  const build = state?.build
  const roots = facts.roots.map(({ root, path, state: rootState, scannedAt, refs, ...counts }) => ({
    path,
    // As the writer keeps it.
    state: rootState as LensStatusData['roots'][number]['state'],
    ...(scannedAt === null ? {} : { scannedAt: isoOf(scannedAt) }),
    watch: state?.watches[root]?.state ?? ('none' as const),
    ...counts,
    references: refs,
  }))
  const data: LensStatusData = {
    index: facts.about,
    roots,
    languages: [...facts.languages],
    failed: [...facts.failed],
    ...(build === undefined
      ? {}
      : {
          lastBuild: {
            ...{ state: build.state, startedAt: isoOf(build.startedAt), files: build.files, errors: build.errors },
            resumed: build.resumed,
            ...(build.endedAt === null ? {} : { endedAt: isoOf(build.endedAt) }),
          },
        }),
  }
  const lines = roots.map(({ path, files, symbols, problems, watch, skipped }) => {
    const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`)
    const leftOut = left.length === 0 ? '' : `; not read: ${left.join(', ')}`
    return `${path}: ${files} files, ${symbols} symbols, ${problems} problems; ${watch === 'none' ? 'not watched' : watch}${leftOut}`
  })
  const failed = facts.failed.map(({ path, reason }) => `could not be read: ${path}: ${reason}`)
  return { data, text: [...lines, ...failed, describeIndex(facts.about)].join('\n') }
}
