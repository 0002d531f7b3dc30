/** What is made of a playset on demand: a patch for one conflict, and the causes in a log of the game. */
import { analyzeGameLog, type GameLogAnalysis, judgeLayersAt } from '@switchboard/paradox'
import {
  type Conflict,
  conflictsOfKey,
  type Patch,
  PatchedIndex,
  type PatchOptions,
  proposePatch,
} from '@switchboard/paradox/conflicts'
import type { TablesDatabase } from '@switchboard/store/tables'
import type { JudgedPlayset } from '../../playset/judged.ts'
import { SqlPlaysetIndex } from '../judge/sql-playset-index.ts'

export interface PatchProposal {
  readonly patch: Patch
  /** What the index would say of the same key with it; absent: it is about a file. */
  readonly afterwards: readonly Conflict[]
}

export function proposeFor(
  database: TablesDatabase,
  { layers, parts }: JudgedPlayset,
  conflict: Conflict,
  options: PatchOptions,
): PatchProposal | undefined {
  const index = new SqlPlaysetIndex(database, layers, parts)
  const patch = proposePatch(conflict, index, options)
  if (patch === undefined) return undefined
  const { kind, name } = conflict
  return { patch, afterwards: conflictsOfKey(new PatchedIndex(index, patch), { kind, name }) }
}

export function analyzeFor(
  database: TablesDatabase,
  playset: JudgedPlayset | undefined,
  text: string,
): GameLogAnalysis {
  if (playset === undefined) return analyzeGameLog(text)
  const { layers } = playset
  const index = new SqlPlaysetIndex(database, layers, playset.parts)
  const layerOf = (path: string): number | undefined => judgeLayersAt(path, index.layersAt(path), layers).effective
  return analyzeGameLog(text, {
    modOf: (path) => layers[layerOf(path) ?? -1]?.name,
    namesOf: (path) => {
      const layer = layerOf(path)
      return layer === undefined ? [] : index.symbolsOf({ layer, path }).map(({ name }) => name)
    },
  })
}
