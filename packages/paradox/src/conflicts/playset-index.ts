/** What the search for conflicts asks of an index, however large it is and wherever it is kept. */
import type { Layer } from '../playset/layer.ts'
import type { PlaysetDefinition, PlaysetFile, PlaysetReference } from './conflict.ts'

export interface PlaysetKey {
  readonly kind: string
  readonly name: string
}

export interface PlaysetIndex {
  /** In load order, lowest first. */
  readonly layers: readonly Layer[]
  /** Paths with a file in more than one layer, and those directly in a folder that some layer replaces. More do no harm. */
  contestedPaths(): Iterable<string>
  /** Keys with more than one definition in all layers, hidden or not. More do no harm. */
  contestedKeys(): Iterable<PlaysetKey>
  layersAt(path: string): readonly number[]
  symbolsOf(file: PlaysetFile): readonly PlaysetDefinition[]
  definitionsOf(key: PlaysetKey): readonly PlaysetDefinition[]
  /** Of any kind: the caller looks at the kinds. */
  referencesTo(name: string): readonly PlaysetReference[]
  readBytes(file: PlaysetFile): Uint8Array | undefined
}
