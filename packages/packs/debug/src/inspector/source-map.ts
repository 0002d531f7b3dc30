/** One source map, followed in both directions. Lines start at 1 here and columns at 0, as in the library underneath. */
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  AnyMap,
  allGeneratedPositionsFor,
  GREATEST_LOWER_BOUND,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  type SectionedSourceMapInput,
  type SourceMapInput,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { readForeignBytes } from '@switchboard/base'
import { parsePlainJson } from '@switchboard/protocol/framing'

const LARGEST_MAP_BYTES = 64 * 1024 * 1024
/** A line without code of its own is moved to the next one that has some, but not beyond so many lines. */
const MOST_LINES_MOVED = 30

export interface Position {
  readonly line: number
  readonly column: number
}

export class SourceMap {
  readonly #map: TraceMap
  /** Absolute paths, in the order of the map's own sources; undefined for one that is no file. */
  readonly #paths: readonly (string | undefined)[]

  constructor(content: SourceMapInput | SectionedSourceMapInput, generatedPath: string) {
    this.#map = new AnyMap(content, pathToFileURL(generatedPath).href)
    this.#paths = this.#map.resolvedSources.map((source) => sourceToPath(source, dirname(generatedPath)))
  }

  get sources(): readonly string[] {
    return this.#paths.filter((path) => path !== undefined)
  }

  /** Where this came from; undefined: it was made by the compiler. */
  toOriginal(position: Position): (Position & { readonly path: string }) | undefined {
    for (const bias of [GREATEST_LOWER_BOUND, LEAST_UPPER_BOUND] as const) {
      const found = originalPositionFor(this.#map, { ...position, bias })
      if (found.source === null) continue
      const path = this.#paths[this.#map.resolvedSources.indexOf(found.source)]
      if (path !== undefined) return { path, line: found.line, column: found.column }
    }
    return undefined
  }

  /** Where the code of that line is, at its first place on each way; of the next line with code when it has none. */
  toGenerated(
    path: string,
    line: number,
    column = 0,
  ): { readonly line: number; readonly places: readonly Position[] } | undefined {
    const index = this.#paths.indexOf(path)
    const source = this.#map.resolvedSources[index]
    if (source === undefined) return undefined
    for (let tried = line; tried <= line + MOST_LINES_MOVED; tried++) {
      const found = allGeneratedPositionsFor(this.#map, {
        source,
        line: tried,
        column: tried === line ? column : 0,
        bias: LEAST_UPPER_BOUND,
      })
      const places = found.flatMap(({ line, column }) => (line === null ? [] : [{ line, column }]))
      if (places.length > 0) return { line: tried, places: firstOfEachLine(places) }
    }
    return undefined
  }
}

/** Of a line that was compiled to several places of one line, the first is where it begins. */
function firstOfEachLine(places: readonly Position[]): Position[] {
  const sorted = [...places].sort((left, right) => left.line - right.line || left.column - right.column)
  const first = sorted[0]
  return first === undefined ? [] : sorted.filter(({ line }, index) => index === 0 || line !== sorted[index - 1]?.line)
}

function sourceToPath(source: string | null, folder: string): string | undefined {
  if (source === null || source === '') return undefined
  if (source.startsWith('file:')) {
    try {
      return fileURLToPath(source)
    } catch {
      return undefined
    }
  }
  if (isAbsolute(source)) return source
  return /^[a-z][a-z\d+.-]+:/i.test(source) ? undefined : resolve(folder, source)
}

/** From a data URL or a file beside the script; undefined when there is none to be had or it is no map. */
export async function loadSourceMap(url: string, generatedPath: string): Promise<SourceMap | undefined> {
  try {
    const text = await readMapText(url, generatedPath)
    // What it is shows when it is read; anything else is no map, and throws.
    return text === undefined ? undefined : new SourceMap(parsePlainJson(text) as SourceMapInput, generatedPath)
  } catch {
    return undefined
  }
}

async function readMapText(url: string, generatedPath: string): Promise<string | undefined> {
  if (url.length > LARGEST_MAP_BYTES) return undefined
  const inline = /^data:[^,]*?(;base64)?,/.exec(url)
  if (inline !== null) {
    const data = url.slice(inline[0].length)
    return inline[1] === undefined ? decodeURIComponent(data) : Buffer.from(data, 'base64').toString('utf8')
  }
  const file = new URL(url, pathToFileURL(generatedPath))
  if (file.protocol !== 'file:') return undefined
  const bytes = await readForeignBytes(fileURLToPath(file), { maxBytes: LARGEST_MAP_BYTES })
  return bytes.toString('utf8')
}
