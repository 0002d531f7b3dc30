/**
 * The first pass of the game: which file stands at a path. Rule F1: of files with the same path only the one of the highest layer
 * exists. Rule F2: `replace_path` takes away what lies directly in that folder, not below it, from all lower layers.
 */
import type { Layer } from '../playset/layer.ts'

export interface Hider {
  readonly rule: 'F1' | 'F2'
  /** The index of the layer that hides it. */
  readonly layer: number
}

export interface PathVerdict {
  /** The layer whose file the game sees; undefined: none, all are replaced. */
  readonly effective: number | undefined
  readonly hidden: readonly (Hider & { readonly of: number })[]
}

/** Of one path: `layersAt` are the layers with a file there, by index. */
export function judgeLayersAt(path: string, layersAt: readonly number[], layers: readonly Layer[]): PathVerdict {
  const sorted = [...layersAt].sort((a, b) => a - b)
  const top = sorted.at(-1)
  const hidden: (Hider & { of: number })[] = []
  let effective: number | undefined
  for (const layer of sorted) {
    const replacing = findReplacing(path, layer, layers)
    if (layer !== top && top !== undefined) hidden.push({ of: layer, rule: 'F1', layer: top })
    else if (replacing !== undefined) hidden.push({ of: layer, rule: 'F2', layer: replacing })
    else effective = layer
  }
  return { effective, hidden }
}

/** The highest layer above that replaces the folder of the path. */
function findReplacing(path: string, layer: number, layers: readonly Layer[]): number | undefined {
  const folder = folderOf(path).toLowerCase()
  for (let above = layers.length - 1; above > layer; above--) {
    if (layers[above]?.replacePaths.includes(folder) === true) return above
  }
  return undefined
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
