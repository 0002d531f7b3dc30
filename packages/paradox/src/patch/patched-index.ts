/** What an index would say if a proposed file were there: the same index, with one mod more above all others. */
import type { PlaysetDefinition, PlaysetFile, PlaysetReference } from '../conflicts/conflict.ts'
import { MemoryIndex } from '../conflicts/memory-index.ts'
import type { PlaysetIndex, PlaysetKey } from '../conflicts/playset-index.ts'
import type { Layer } from '../playset/layer.ts'
import type { Patch } from './patch.ts'

export class PatchedIndex implements PlaysetIndex {
  readonly layers: readonly Layer[]
  readonly #below: PlaysetIndex
  readonly #patch: MemoryIndex
  readonly #path: string

  constructor(below: PlaysetIndex, { path, content }: Pick<Patch, 'path' | 'content'>) {
    const dependencies = below.layers.map(({ name }) => name)
    this.layers = [...below.layers, { name: 'the patch', kind: 'mod', path: '', replacePaths: [], dependencies }]
    this.#below = below
    this.#path = path
    this.#patch = new MemoryIndex(this.layers)
    this.#patch.add({ layer: below.layers.length, path }, new TextEncoder().encode(content))
  }

  *contestedPaths(): Iterable<string> {
    yield* this.#below.contestedPaths()
    yield this.#path
  }

  *contestedKeys(): Iterable<PlaysetKey> {
    yield* this.#below.contestedKeys()
    yield* this.#patch.keys()
  }

  layersAt(path: string): readonly number[] {
    return [...this.#below.layersAt(path), ...this.#patch.layersAt(path)]
  }

  symbolsOf(file: PlaysetFile): readonly PlaysetDefinition[] {
    return this.#sourceOf(file).symbolsOf(file)
  }

  definitionsOf(key: PlaysetKey): readonly PlaysetDefinition[] {
    return [...this.#below.definitionsOf(key), ...this.#patch.definitionsOf(key)]
  }

  referencesTo(name: string): readonly PlaysetReference[] {
    return [...this.#below.referencesTo(name), ...this.#patch.referencesTo(name)]
  }

  readBytes(file: PlaysetFile): Uint8Array | undefined {
    return this.#sourceOf(file).readBytes(file)
  }

  #sourceOf({ layer }: PlaysetFile): PlaysetIndex {
    return layer === this.#below.layers.length ? this.#patch : this.#below
  }
}
