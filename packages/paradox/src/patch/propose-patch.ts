/**
 * The file that would resolve a conflict: its name and folder win by the rules of the folder, its body has both sides where the
 * rules allow it. Undefined: there is nothing to resolve by a file.
 */
import type { Conflict, PlaysetDefinition, PlaysetFile } from '../conflicts/conflict.ts'
import type { PlaysetIndex } from '../conflicts/playset-index.ts'
import { policyOf } from '../conflicts/policies.ts'
import { folderRuleOf } from '../extract/folders.ts'
import { folderOf } from '../order/overlay.ts'
import { mergeDefinitions, mergeSlot } from './merge-conflict.ts'
import type { Patch } from './patch.ts'
import { asComment, definitionText, describe, MARK, writeScript } from './patch-text.ts'
import { firstPath, lastPath } from './winning-name.ts'

export interface PatchOptions {
  /** In the names of files. Default: `patch`. */
  readonly stem?: string
  /** Which definition is to stand, by its index in `[effective, ...losers]`. Default: the first of these that is a mod's. */
  readonly keep?: number
}

export function proposePatch(conflict: Conflict, index: PlaysetIndex, options: PatchOptions = {}): Patch | undefined {
  const stem = options.stem ?? 'patch'
  const keep = options.keep ?? firstOfMod(conflict, index)
  switch (conflict.base ?? conflict.class) {
    case 'key_override':
      return overrideKey(conflict, index, stem, keep)
    case 'slot':
      return conflict.kind === 'define'
        ? overrideDefine(conflict, index, stem, keep)
        : overrideSlot(conflict, index, stem)
    case 'gui_first_wins':
      return comeFirst(conflict, index, stem, keep)
    case 'loc_key':
      return overrideText(conflict, index, stem, keep)
    case 'duplicate_forbidden':
      return removeDuplicate(conflict, index)
    case 'file_shadow':
      return restoreLost(conflict, index, stem) ?? besideFile(conflict, index)
    case 'replace_path':
    case 'dangling':
      return restoreLost(conflict, index, stem)
    default:
      return undefined
  }
}

function firstOfMod(conflict: Conflict, index: PlaysetIndex): number {
  return Math.max(
    0,
    claimsOf(conflict).findIndex(({ layer }) => index.layers[layer]?.kind === 'mod'),
  )
}

function claimsOf({ effective, losers }: Conflict): PlaysetDefinition[] {
  const claims = effective === undefined ? losers : [effective, ...losers]
  return claims.filter((claim): claim is PlaysetDefinition => claim.start !== undefined && claim.kind !== undefined)
}

/** The one to stand first, the others after it. */
function inFavour(conflict: Conflict, keep: number): [PlaysetDefinition | undefined, PlaysetDefinition[]] {
  const claims = claimsOf(conflict)
  const wanted = claims[keep]
  return [wanted, claims.filter((claim) => claim !== wanted)]
}

function databaseFolder(path: string): string {
  return folderRuleOf(path)?.folder ?? folderOf(path)
}

function overrideKey(conflict: Conflict, index: PlaysetIndex, stem: string, keep: number): Patch | undefined {
  const [wanted, others] = inFavour(conflict, keep)
  if (wanted === undefined) return undefined
  const rivals = claimsOf(conflict).map(({ path }) => path)
  const path = lastPath(databaseFolder(wanted.path), `${stem}_${safe(conflict.name)}`, extensionOf(wanted.path), rivals)
  if (path === undefined) return undefined
  const merged = mergeDefinitions(wanted, others, index)
  const beside = merged === undefined ? others : []
  return {
    path,
    ...writeScript(
      index,
      [{ of: wanted, text: merged?.text ?? definitionText(wanted, index) }],
      merged?.carried ?? [],
      [
        `${conflict.kind} ${conflict.name}`,
        ...beside.map((other) => `\n${describe(other, index)}\n${definitionText(other, index)}`),
      ],
    ),
    kind: merged === undefined ? 'chosen' : 'merged',
    explanation: `read after ${rivals.join(', ')} by file name (O1), it replaces them as a whole (${policyOf(conflict.kind).rule})`,
    confidence: policyOf(conflict.kind).confidence,
    notes: merged?.notes ?? [],
  }
}

function overrideSlot(conflict: Conflict, index: PlaysetIndex, stem: string): Patch | undefined {
  const claims = claimsOf(conflict)
  const [wanted] = claims
  const dot = conflict.name.lastIndexOf('.')
  const slot = conflict.name.slice(dot + 1)
  if (wanted === undefined) return undefined
  const folder = databaseFolder(wanted.path)
  const rivals = claims.map(({ path }) => path)
  const path = lastPath(folder, `${stem}_${safe(conflict.name)}`, 'txt', rivals)
  const merged = mergeSlot(claims, slot, index)
  if (path === undefined || merged === undefined) return undefined
  const name = conflict.name.slice(0, dot)
  return {
    path,
    ...writeScript(index, [{ of: wanted, text: `${name} = {\n${merged.text}\n}` }], claims.slice(1), [
      `${slot} of on_action ${name}`,
      ...merged.beside,
    ]),
    kind: merged.isMerged ? 'merged' : 'chosen',
    explanation: `lists of ${name} add up, and its "${slot}" is the one that is read last: this one, after ${rivals.join(', ')} (P2)`,
    confidence: 'high',
    notes: merged.notes,
  }
}

function overrideDefine(conflict: Conflict, index: PlaysetIndex, stem: string, keep: number): Patch | undefined {
  const [wanted, others] = inFavour(conflict, keep)
  if (wanted === undefined) return undefined
  const rivals = claimsOf(conflict).map(({ path }) => path)
  const path = lastPath(databaseFolder(wanted.path), `${stem}_${safe(conflict.name)}`, 'txt', rivals)
  if (path === undefined) return undefined
  const category = conflict.name.slice(0, conflict.name.indexOf('|'))
  return {
    path,
    ...writeScript(
      index,
      [{ of: wanted, text: `${category} = {\n\t${definitionText(wanted, index)}\n}` }],
      [],
      [
        `define ${conflict.name}`,
        ...others.map((other) => `${describe(other, index)}: ${definitionText(other, index)}`),
      ],
    ),
    kind: 'chosen',
    explanation: `the last value by file name counts (P3): this file is read after ${rivals.join(', ')}`,
    confidence: 'high',
    notes: [],
  }
}

function comeFirst(conflict: Conflict, index: PlaysetIndex, stem: string, keep: number): Patch | undefined {
  const [wanted, others] = inFavour(conflict, keep)
  if (wanted === undefined) return undefined
  const rivals = claimsOf(conflict).map(({ path }) => path)
  const path = firstPath('gui', `${stem}_${safe(conflict.name)}`, 'gui', rivals)
  if (path === undefined) return undefined
  const text = definitionText(wanted, index)
  const body = wanted.kind === 'gui_type' ? `types ${safe(stem)}_types {\n\t${text}\n}` : text
  return {
    path,
    ...writeScript(
      index,
      [{ of: wanted, text: body }],
      [],
      [
        `${conflict.kind} ${conflict.name}`,
        ...others.map((other) => `\n${describe(other, index)}\n${definitionText(other, index)}`),
      ],
    ),
    kind: 'chosen',
    explanation: `the first by file name stays (P4): this file is read before ${rivals.join(', ')}`,
    confidence: 'high',
    notes: [],
  }
}

function overrideText(conflict: Conflict, index: PlaysetIndex, stem: string, keep: number): Patch | undefined {
  const [wanted, others] = inFavour(conflict, keep)
  const language = conflict.language
  if (wanted === undefined || language === undefined) return undefined
  const rivals = claimsOf(conflict).map(({ path }) => path)
  const folder = `localization/replace/${language}`
  const path = lastPath(
    folder,
    `${stem}_${safe(conflict.name)}_l_${language}`,
    'yml',
    rivals.filter((rival) => rival.startsWith(`${folder}/`)),
  )
  if (path === undefined) return undefined
  const beside = others
    .map((other) => asComment(`${describe(other, index)}: ${definitionText(other, index)}`, ' '))
    .join('')
  return {
    path,
    content: `${MARK}l_${language}:\n${beside} ${definitionText(wanted, index)}\n`,
    kind: 'chosen',
    explanation: 'a text in localization/replace overwrites the others of its language (P5)',
    confidence: policyOf('localization').confidence,
    notes: [],
  }
}

/** A file of the same path, in a mod above all others, hides the one with the second definition: here it is without it. */
function removeDuplicate(conflict: Conflict, index: PlaysetIndex): Patch | undefined {
  const claims = claimsOf(conflict)
  const [kept, second] = claims
  const bytes = second === undefined ? undefined : index.readBytes(second)
  if (kept === undefined || second === undefined || bytes === undefined) return undefined
  const text = (from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString()
  const note = asComment(`${conflict.kind} ${conflict.name} is defined in ${describe(kept, index)}`, '')
  const content = `${text(0, second.start)}${note.trimEnd()}${text(second.end, bytes.length)}`
  return {
    path: second.path,
    content: content.startsWith(MARK) ? content : MARK + content,
    kind: 'removed',
    explanation: `a file with the path of ${describe(second, index)} takes its place (F1); it has all of it but the second definition`,
    confidence: 'high',
    notes: claims.length > 2 ? [`${claims.length - 2} more define it: ask again after this one`] : [],
  }
}

function restoreLost(conflict: Conflict, index: PlaysetIndex, stem: string): Patch | undefined {
  const files: readonly PlaysetFile[] = conflict.losers
  const lost =
    conflict.class === 'dangling' ? [{ kind: conflict.kind, name: conflict.name }] : (conflict.lostKeys ?? [])
  const wanted = lost.flatMap(({ kind, name }) => {
    const found = files.flatMap((file) => index.symbolsOf(file)).find((one) => one.kind === kind && one.name === name)
    // Those inside of another come with it.
    return found === undefined || (found.outermost !== undefined && kind !== 'localization') ? [] : [found]
  })
  const [first] = wanted
  if (first === undefined) return undefined
  const name = first.path.slice(first.path.lastIndexOf('/') + 1)
  const path = `${folderOf(first.path)}/zzz_${stem}_${name}`
  const isText = first.kind === 'localization'
  const body = wanted.map((of) => ({ of, text: definitionText(of, index) }))
  return {
    path,
    ...(isText
      ? { content: `${MARK}l_${languageLine(first)}:\n${body.map(({ text }) => ` ${text}\n`).join('')}` }
      : writeScript(index, body, [], [`what of ${first.path} was lost`])),
    kind: 'restored',
    explanation: `${first.path} is hidden, so its ${wanted.length} keys that nothing else defines are put into a file of another name`,
    confidence: 'high',
    notes: [],
  }
}

/** Nothing is lost: the file that stands, with what the hidden one has otherwise beside it, for a person to choose. */
function besideFile({ effective, losers, difference }: Conflict, index: PlaysetIndex): Patch | undefined {
  const [hidden] = losers
  const bytes = effective === undefined ? undefined : index.readBytes(effective)
  if (effective === undefined || hidden === undefined || bytes === undefined || difference !== 'differs')
    return undefined
  const ours = new Map(index.symbolsOf(effective).map((one) => [`${one.kind} ${one.name}`, definitionText(one, index)]))
  const others = index
    .symbolsOf(hidden)
    .filter((one) => one.outermost === undefined && ours.has(`${one.kind} ${one.name}`))
    .map((one) => ({ line: one.line, text: definitionText(one, index), ours: ours.get(`${one.kind} ${one.name}`) }))
    .filter((one) => one.text !== one.ours)
  const beside = others.map((one) => asComment(`\nline ${one.line}\n${one.text}`, '')).join('')
  const text = Buffer.from(bytes).toString()
  return {
    path: effective.path,
    content: `${text.startsWith(MARK) ? '' : MARK}${text.trimEnd()}\n\n${asComment(`otherwise in ${describe(hidden, index)}:`, '')}${beside}`,
    kind: 'chosen',
    explanation: `a file with the same path in a higher mod takes the place of both (F1); ${others.length} definitions differ`,
    confidence: 'high',
    notes: ['choose between the definitions at the end of the file and those above them'],
  }
}

function languageLine({ path }: PlaysetFile): string {
  return path.slice(path.lastIndexOf('_l_') + 3, -'.yml'.length)
}

function safe(name: string): string {
  return name.replace(/[^\w-]+/g, '_').slice(0, 60)
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
