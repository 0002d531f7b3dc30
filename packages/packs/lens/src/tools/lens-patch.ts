import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage, ForeignDraft } from '@switchboard/base'
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import { showConflict } from '../answers/show-conflict.ts'
import type { LensPatchData, LensPatchParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import { resolvePath } from '../workspaces.ts'

/** A dry run unless it is told to write. The mode of the window has judged `into` before this is called. */
export async function run(
  { conflict: id, keep, into, write, overwrite }: LensPatchParams,
  context: Context,
): Promise<ToolOutcome<LensPatchData>> {
  const { host, call, workspace, signal } = context
  const open = await host.playsets.open(call.caller, workspace, signal)
  const { judged } = open
  const judgement = await host.playsets.judge(open)
  const only = { playset: judgement.id, id, withIntended: true, limit: 1, offset: 0 }
  const [found] = (await host.index.read('conflicts', [only], signal)).items
  if (found === undefined) throw new ToolError('E_CONFLICT_NOT_FOUND', `There is no conflict #${id}`)
  const options = keep === undefined ? {} : { keep }
  const proposal = await host.index.read('patch', [judged, found.conflict, options], signal)
  if (proposal === undefined)
    throw new ToolError('E_NO_PATCH', `No file resolves ${found.conflict.class} of ${found.conflict.name}`)
  const { patch, afterwards } = proposal
  const written = write ? await writePatch(context, patch, into, overwrite) : undefined
  const layers = [
    ...judged.layers,
    { name: 'the patch', kind: 'mod' as const, path: '', replacePaths: [], dependencies: [] },
  ]
  const then = afterwards.map((conflict, at) => showConflict(at, conflict, layers, false))
  const { path, kind, content, explanation, confidence, notes } = patch
  const about = await host.index.read('about', [judged.parts], signal)
  const text = [
    written === undefined
      ? `Proposed (${kind}, ${confidence}): ${path}. Nothing was written.`
      : `Written (${kind}, ${confidence}): ${written}`,
    explanation,
    ...notes.map((note) => `look at: ${note}`),
    content,
    then.length === 0 ? 'Afterwards there is no conflict about it.' : `Afterwards:\n${then.join('\n')}`,
    describeIndex(about),
  ].join('\n')
  const data = { index: about, path, kind, content, explanation, confidence, notes: [...notes], afterwards: then }
  return { data: { ...data, ...(written === undefined ? {} : { written }) }, text }
}

async function writePatch(
  context: Context,
  { path, content }: { readonly path: string; readonly content: string },
  into: string | undefined,
  isForced: boolean,
): Promise<string> {
  if (into === undefined) throw new ToolError('E_PATCH_FAILED', 'Give into, the folder of the mod that gets the file')
  const place = resolvePath(await scopeOf(context), into)
  const folder = join(place.rootPath, place.path)
  const file = join(folder, path)
  let isWritten = false
  try {
    await mkdir(folder, { recursive: true })
    // A folder of the mod may be a link to elsewhere.
    const draft = await ForeignDraft.open(file, { root: folder, mode: 0o644 })
    try {
      await draft.handle.writeFile(content)
    } catch (error) {
      await draft.discard()
      throw error
    }
    isWritten = await draft.commit({ overwrite: isForced })
  } catch (error) {
    throw new ToolError('E_PATCH_FAILED', `${file} cannot be written: ${errorMessage(error)}`, { cause: error })
  }
  if (!isWritten) throw new ToolError('E_PATCH_FAILED', `${file} is there already`)
  await context.host.index.write('enqueue', [[{ kind: 'file', path: file, isUrgent: true }]])
  return file
}
