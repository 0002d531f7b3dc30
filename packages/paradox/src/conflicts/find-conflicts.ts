/** All conflicts of a playset, and how often the game agrees. */
import { FOLDER_RULES } from '../extract/folders.ts'
import type { OrderRule } from '../order/load-order.ts'
import { judgeLayersAt } from '../order/overlay.ts'
import { type Conflict, harmOf, type PlaysetDefinition, type PlaysetFile } from './conflict.ts'
import type { EnginePlace, EngineVerdicts } from './engine-verdicts.ts'
import { judgeKey, type KeyToJudge } from './judge-key.ts'
import { judgePath } from './judge-path.ts'
import type { PlaysetIndex, PlaysetKey } from './playset-index.ts'

export interface ConflictOptions {
  readonly order?: OrderRule
  readonly engine?: EngineVerdicts
}

/** The harmful first. */
export function findConflicts(index: PlaysetIndex, options: ConflictOptions = {}): Conflict[] {
  return [...eachConflict(index, options)].sort(compareHarm)
}

export function compareHarm(a: Conflict, b: Conflict): number {
  return harmOf(a) - harmOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

/** One after the other, as they are found: a translation has more of them than a thread can hold. */
export function* eachConflict(index: PlaysetIndex, options: ConflictOptions = {}): Generator<Conflict> {
  const seen = new Set<string>()
  function* ofKey(key: PlaysetKey): Generator<Conflict> {
    const text = `${key.kind} ${key.name}`
    if (seen.has(text)) return
    seen.add(text)
    yield* conflictsOfKey(index, key, options)
  }
  const lost: PlaysetKey[] = []
  for (const path of new Set(index.contestedPaths())) {
    for (const conflict of conflictsOfPath(index, path)) {
      lost.push(...(conflict.lostKeys ?? []))
      yield conflict
    }
  }
  for (const key of lost) yield* ofKey(key)
  for (const key of index.contestedKeys()) yield* ofKey(key)
}

export function conflictsOfPath(index: PlaysetIndex, path: string): Conflict[] {
  return judgePath(
    { path, layersAt: index.layersAt(path) },
    {
      layers: index.layers,
      readBytes: (file) => index.readBytes(file),
      lostKeysOf: (file) =>
        index
          .symbolsOf(file)
          .filter((key) => !index.definitionsOf(key).some((other) => isEffective(index, other)))
          .map(({ kind, name }) => ({ kind, name })),
    },
  )
}

export function conflictsOfKey(index: PlaysetIndex, key: PlaysetKey, options: ConflictOptions = {}): Conflict[] {
  return judgeKey(gather(index, key), { ...options, layers: index.layers, readBytes: (file) => index.readBytes(file) })
}

function gather(index: PlaysetIndex, { kind, name }: PlaysetKey): KeyToJudge {
  const definitions: PlaysetDefinition[] = []
  const hidden: PlaysetDefinition[] = []
  for (const definition of index.definitionsOf({ kind, name })) {
    if (isEffective(index, definition)) definitions.push(definition)
    else hidden.push(definition)
  }
  const references =
    definitions.length > 0
      ? []
      : index.referencesTo(name).filter((reference) => reference.kinds.includes(kind) && isEffective(index, reference))
  return { kind, name, definitions, hidden, references }
}

/** Whether the game sees the file, by the first pass. */
export function isEffective(index: PlaysetIndex, { layer, path }: PlaysetFile): boolean {
  return judgeLayersAt(path, index.layersAt(path), index.layers).effective === layer
}

export interface Agreement extends EnginePlace {
  readonly database: string
  readonly name: string
  /** `unknown`: the index does not have the key, or its database is none of the table. */
  readonly verdict: 'agree' | 'engine-differs' | 'unknown'
  readonly ours?: PlaysetFile & Partial<PlaysetDefinition>
}

/** Key by key, what the game's log says beside what the rules say. */
export function compareWithEngine(index: PlaysetIndex, engine: EngineVerdicts, order?: OrderRule): Agreement[] {
  const kinds = new Map(FOLDER_RULES.map(({ folder, kind }) => [folder, kind]))
  return [...engine.entries()].map((entry) => {
    const kind = kinds.get(entry.database)
    const ours = kind === undefined ? undefined : winnerOf(index, { kind, name: entry.name }, order)
    if (ours === undefined) return { ...entry, verdict: 'unknown' as const }
    const isSame = ours.path === entry.path && ours.line === entry.line
    return { ...entry, verdict: isSame ? ('agree' as const) : ('engine-differs' as const), ours }
  })
}

/** The definition in effect by the rules; undefined: none, or more than one. */
export function winnerOf(index: PlaysetIndex, key: PlaysetKey, order?: OrderRule): Conflict['effective'] {
  const gathered = gather(index, key)
  if (gathered.definitions.length === 1) return gathered.definitions[0]
  return judgeKey(gathered, {
    layers: index.layers,
    ...(order !== undefined && { order }),
    // What differs is not asked for.
    readBytes: () => undefined,
  }).find(({ class: type }) => type !== 'dangling')?.effective
}
