import type { Conflict } from '../../src/conflicts/conflict.ts'
import { MemoryIndex } from '../../src/conflicts/memory-index.ts'
import type { Layer } from '../../src/playset/layer.ts'
import { bytesOf } from './outline.ts'

export interface LayerFiles {
  readonly name: string
  readonly kind?: Layer['kind']
  readonly replacePaths?: readonly string[]
  readonly dependencies?: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

/** Lowest first. Texts get the mark that the game wants. */
export function createIndex(layers: readonly LayerFiles[]): MemoryIndex {
  const index = new MemoryIndex(
    layers.map(({ name, kind = 'mod', replacePaths = [], dependencies = [] }) => ({
      name,
      kind,
      path: `/mods/${name}`,
      replacePaths,
      dependencies,
    })),
  )
  for (const [layer, { files }] of layers.entries()) {
    for (const [path, text] of Object.entries(files)) {
      index.add({ layer, path }, bytesOf(path.endsWith('.yml') ? `\ufeff${text}` : text))
    }
  }
  return index
}

/** A conflict in one line: what, where the effective one is, who loses, how sure, and what else is said. */
export function show(conflict: Conflict, index: MemoryIndex): string {
  const {
    class: type,
    base,
    kind,
    name,
    language,
    effective,
    losers,
    confidence,
    difference,
    intendedBy,
    lostKeys,
  } = conflict
  const place = ({ layer, path }: { layer: number; path: string }): string =>
    `${index.layers[layer]?.name}/${path.split('/').at(-1)}`
  return [
    base === undefined ? type : `${type}(${base})`,
    `${kind} ${name}${language === undefined ? '' : `@${language}`}`,
    `${effective === undefined ? '-' : place(effective)} > ${losers.map(place).join(' ')}`,
    confidence,
    difference,
    intendedBy,
    lostKeys !== undefined && lostKeys.length > 0 ? `lost ${lostKeys.map((key) => key.name).join(' ')}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' | ')
}
