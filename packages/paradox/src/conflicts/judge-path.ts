/** The conflicts of one path: which file stands there, which are hidden, and what is lost with them. */
import { isForPeople } from '../extract/extract-file.ts'
import { folderRuleOf, isGamePath } from '../extract/folders.ts'
import { folderOf, judgeLayersAt } from '../order/overlay.ts'
import type { Layer } from '../playset/layer.ts'
import { normalizeScript } from './compare-definitions.ts'
import type { Conflict, PlaysetFile } from './conflict.ts'
import { intentionOf } from './intended.ts'
import { policyOf } from './policies.ts'

export interface PathToJudge {
  readonly path: string
  /** The layers with a file there. */
  readonly layersAt: readonly number[]
}

export interface PathContext {
  readonly layers: readonly Layer[]
  readonly readBytes: (file: PlaysetFile) => Uint8Array | undefined
  /** What a hidden file defines that no file defines which the game sees. */
  readonly lostKeysOf: (file: PlaysetFile) => readonly { readonly kind: string; readonly name: string }[]
}

export function judgePath({ path, layersAt }: PathToJudge, context: PathContext): Conflict[] {
  const { layers } = context
  if (!isOfGame(path)) return []
  const { effective, hidden } = judgeLayersAt(path, layersAt, layers)
  const conflicts: Conflict[] = []
  for (const rule of ['F1', 'F2'] as const) {
    const group = hidden.filter((one) => one.rule === rule)
    const hider = group[0]?.layer
    if (hider === undefined) continue
    const losers = group.map(({ of }) => ({ layer: of, path })).reverse()
    const lostKeys = uniqueKeys(losers.flatMap((file) => context.lostKeysOf(file)))
    const name = layers[hider]?.name ?? '?'
    conflicts.push({
      class: rule === 'F1' ? 'file_shadow' : 'replace_path',
      kind: 'file',
      name: path,
      ...(rule === 'F1' && effective !== undefined && { effective: { layer: effective, path } }),
      losers,
      rule,
      why:
        rule === 'F1'
          ? `the file of ${name} stands in the place of ${losers.length === 1 ? 'one' : losers.length} with the same path; what only those define is gone`
          : `${name} replaces the folder ${folderOf(path)}, so files of lower layers directly in it are not read`,
      confidence: 'high',
      ...(rule === 'F1' && differenceOf(path, effective, losers[0], context)),
      ...intentionOf(
        hider,
        losers.map(({ layer }) => layer),
        layers,
      ),
      lostKeys,
    })
  }
  return conflicts
}

/** Mods have a descriptor, tools and notes beside what the game reads. */
function isOfGame(path: string): boolean {
  return path.includes('/') && isGamePath(path) && !isForPeople(path)
}

function differenceOf(
  path: string,
  effective: number | undefined,
  loser: PlaysetFile | undefined,
  { readBytes }: PathContext,
): Pick<Conflict, 'difference'> {
  const ours = effective === undefined ? undefined : readBytes({ layer: effective, path })
  const theirs = loser === undefined ? undefined : readBytes(loser)
  if (ours === undefined || theirs === undefined) return {}
  const isScript = folderRuleOf(path) !== undefined && /\.(?:txt|gui|asset)$/.test(path)
  const isSame = isScript ? normalizeScript(ours) === normalizeScript(theirs) : Buffer.compare(ours, theirs) === 0
  return { difference: isSame ? 'identical' : 'differs' }
}

function uniqueKeys<T extends { readonly kind: string; readonly name: string }>(keys: readonly T[]): T[] {
  // Nobody else sees what is local to a file, and entries that add up are of no key.
  const kept = keys.filter(({ kind }) => !['local', 'append'].includes(policyOf(kind).policy))
  return [...new Map(kept.map((key) => [`${key.kind} ${key.name}`, key])).values()]
}
