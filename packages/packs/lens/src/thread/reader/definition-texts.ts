/** What stands in the files of a conflict, as it is there now. */
import type { Layer } from '@switchboard/paradox'
import type { PlaysetDefinition, PlaysetFile } from '@switchboard/paradox/conflicts'
import { readLayerFile } from '../judge/sql-playset-index.ts'

/** Undefined: the file is gone, or cannot be read. */
export interface DefinitionText {
  readonly text: string
  /** So many bytes more are there. */
  readonly left: number
}

const MAX_BYTES = 16_384

/** In the order of the places; of a whole file its beginning. */
export function readDefinitionTexts(
  layers: readonly Layer[],
  places: readonly (PlaysetFile & Partial<PlaysetDefinition>)[],
): readonly (DefinitionText | undefined)[] {
  return places.map((place) => {
    const bytes = readLayerFile(layers, place)
    if (bytes === undefined) return undefined
    const part = bytes.subarray(place.start ?? 0, place.end ?? bytes.length)
    // A byte order mark is no part of what is meant, and a character that the cut falls into is left out.
    const text = new TextDecoder().decode(part.subarray(0, MAX_BYTES), { stream: true })
    return { text, left: Math.max(0, part.length - MAX_BYTES) }
  })
}
