/** A playset in memory: for tests, and for one that is small enough to be read at once. */
import type { ExtractedSymbol } from '@switchboard/source'
import type { DiagnosticsIndex } from '../diagnostics/diagnostic.ts'
import { extractFile, isScriptFile } from '../extract/extract-file.ts'
import { folderOf } from '../order/overlay.ts'
import type { Layer } from '../playset/layer.ts'
import { parseScript } from '../script/parse-script.ts'
import { eachToken, textOf } from '../script/tree.ts'
import type { PlaysetDefinition, PlaysetFile, PlaysetReference } from './conflict.ts'
import type { PlaysetKey } from './playset-index.ts'

interface Entry {
  readonly bytes: Uint8Array
  readonly definitions: readonly PlaysetDefinition[]
}

export class MemoryIndex implements DiagnosticsIndex {
  readonly layers: readonly Layer[]
  readonly #files = new Map<string, Map<number, Entry>>()
  readonly #definitions = new Map<string, PlaysetDefinition[]>()
  readonly #references = new Map<string, PlaysetReference[]>()
  #words: Set<string> | undefined

  constructor(layers: readonly Layer[]) {
    this.layers = layers
  }

  add(file: PlaysetFile, bytes: Uint8Array): void {
    this.#words = undefined
    const { layer, path } = file
    const extraction = extractFile(bytes, path)
    const definitions = toDefinitions(file, extraction?.symbols ?? [])
    const layersAt = this.#files.get(path) ?? new Map<number, Entry>()
    this.#files.set(path, layersAt.set(layer, { bytes, definitions }))
    for (const definition of definitions) append(this.#definitions, keyText(definition), definition)
    for (const { name, kinds = [], line } of extraction?.references ?? []) {
      append(this.#references, name, { layer, path, name, kinds, line })
    }
  }

  *contestedPaths(): Iterable<string> {
    const replaced = new Set(this.layers.flatMap(({ replacePaths }) => replacePaths))
    for (const [path, layersAt] of this.#files) if (layersAt.size > 1 || replaced.has(folderOf(path))) yield path
  }

  *contestedKeys(): Iterable<PlaysetKey> {
    for (const [first, second] of this.#definitions.values())
      if (first !== undefined && second !== undefined) yield first
  }

  *files(): Iterable<PlaysetFile> {
    for (const [path, layersAt] of this.#files) for (const layer of layersAt.keys()) yield { layer, path }
  }

  *keys(): Iterable<PlaysetKey> {
    for (const [first] of this.#definitions.values()) if (first !== undefined) yield first
  }

  *references(): Iterable<PlaysetReference> {
    for (const list of this.#references.values()) yield* list
  }

  layersAt(path: string): readonly number[] {
    return [...(this.#files.get(path)?.keys() ?? [])]
  }

  symbolsOf({ layer, path }: PlaysetFile): readonly PlaysetDefinition[] {
    return this.#files.get(path)?.get(layer)?.definitions ?? []
  }

  definitionsOf(key: PlaysetKey): readonly PlaysetDefinition[] {
    return this.#definitions.get(keyText(key)) ?? []
  }

  referencesTo(name: string): readonly PlaysetReference[] {
    return this.#references.get(name) ?? []
  }

  isMentioned(word: string): boolean {
    this.#words ??= this.#readWords()
    return this.#words.has(word)
  }

  #readWords(): Set<string> {
    const words = new Set<string>()
    for (const [path, layersAt] of this.#files) {
      if (!isScriptFile(path)) continue
      for (const { bytes } of layersAt.values()) {
        eachToken(parseScript(bytes).tree, (start, end) => {
          const text = textOf(bytes, start, end)
          words.add(text.startsWith('"') ? text.slice(1, -1) : text)
        })
      }
    }
    return words
  }

  readBytes({ layer, path }: PlaysetFile): Uint8Array | undefined {
    return this.#files.get(path)?.get(layer)?.bytes
  }
}

function toDefinitions({ layer, path }: PlaysetFile, symbols: readonly ExtractedSymbol[]): PlaysetDefinition[] {
  /** Of each symbol, the name of the outermost one around it. */
  const outermost: (string | undefined)[] = []
  return symbols.map(({ kind, name, start, end, line, parent, detail }) => {
    const around = parent === undefined ? undefined : symbols[parent]
    const outer = around?.kind === 'language' ? undefined : (outermost[parent ?? -1] ?? around?.name)
    outermost.push(outer)
    return {
      layer,
      path,
      kind,
      name,
      start,
      end,
      line,
      ...(outer !== undefined && { outermost: outer }),
      ...(detail !== undefined && { detail }),
    }
  })
}

function keyText({ kind, name }: PlaysetKey): string {
  return `${kind} ${name}`
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
