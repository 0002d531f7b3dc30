/** The symbols of a repository as we tell them and as ctags does: what both have, and what only one of them has. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodeExtractor, type ExtractedSymbol } from '@switchboard/source/extract'
import { listTags, type Tag } from './ctags.ts'
import { explainDifference } from './known-errors.ts'
import { type ComparedLanguage, groupOf, isInFunction } from './languages.ts'
import { listScriptTags } from './script-tags.ts'
import { SourcePlaces } from './source-places.ts'

/** Lines that a name may be apart: ctags gives the line of a keyword, we that of the name. */
const MAX_APART = 2
const MAX_SHOWN = 3

export interface Difference {
  readonly side: 'ours' | 'ctags'
  readonly kind: string
  readonly count: number
  readonly examples: readonly string[]
  /** The class of errors of ctags that it is of; absent: of none that is known, and it counts. */
  readonly known?: string
}

export interface Comparison {
  readonly files: number
  readonly both: number
  readonly ours: number
  readonly ctags: number
  /** By the bare numbers. */
  readonly recall: number
  readonly precision: number
  /** Without the differences in which ctags errs. */
  readonly judgedRecall: number
  readonly judgedPrecision: number
  readonly differences: readonly Difference[]
}

interface Named {
  readonly name: string
  readonly line: number
  readonly kind: string
  readonly group: number
}

export async function compareSymbols(
  folder: string,
  files: readonly string[],
  language: ComparedLanguage,
): Promise<Comparison> {
  const theirs = await readTheirs(folder, files, language)
  const extractor = new CodeExtractor()
  const only = new Map<string, Difference & { count: number; readonly examples: string[] }>()
  const known = { ours: 0, ctags: 0 }
  let both = 0
  let ours = 0
  let ctags = 0
  for (const file of files) {
    const bytes = await readFile(join(folder, file))
    const extraction = await extractor.extract(file, bytes)
    const told = selectOurs(extraction?.symbols ?? [], language)
    const tagged = theirs.get(join(folder, file)) ?? []
    const { matched, left, unmatched } = match(told, tagged)
    ours += told.length
    ctags += tagged.length
    both += matched
    const places = new SourcePlaces(bytes.toString())
    const note = (side: Difference['side'], { kind, name, line }: Named): void => {
      const error = explainDifference(language.name, { side, kind, name }, places.at(line))
      if (error !== undefined) known[side]++
      const key = error === undefined ? `${side} ${kind}` : error.what
      const noted = only.get(key) ?? { side, kind, count: 0, examples: [], ...(error && { known: error.what }) }
      noted.count++
      if (noted.examples.length < MAX_SHOWN) noted.examples.push(`${name} (${file}:${line})`)
      only.set(key, noted)
    }
    for (const symbol of left) note('ours', symbol)
    for (const tag of unmatched) note('ctags', tag)
  }
  return {
    ...{ files: files.length, both, ours, ctags },
    recall: ratio(both, ctags),
    precision: ratio(both, ours),
    judgedRecall: ratio(both, ctags - known.ctags),
    judgedPrecision: ratio(both, ours - known.ours),
    differences: [...only.values()].sort((a, b) => b.count - a.count),
  }
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)

async function readTheirs(
  folder: string,
  files: readonly string[],
  language: ComparedLanguage,
): Promise<Map<string, Named[]>> {
  const tags = new Map<string, Named[]>()
  const paths = files.map((file) => join(folder, file))
  for await (const tag of language.measure === 'typescript' ? listScriptTags(paths) : listTags(paths)) {
    const group = language.ctags.includes(tag.language) ? groupOf(language, tag.kind, 1) : undefined
    if (group === undefined) continue
    const { name, line, kind } = tag satisfies Tag
    const list = tags.get(tag.path) ?? []
    list.push({ name: plain(name), line, kind, group })
    tags.set(tag.path, list)
  }
  return tags
}

function selectOurs(symbols: readonly ExtractedSymbol[], language: ComparedLanguage): Named[] {
  return symbols.flatMap((symbol) => {
    const group = groupOf(language, symbol.kind, 0)
    if (group === undefined || (language.skipsBodies === true && isInFunction(symbols, symbol))) return []
    return [{ name: plain(symbol.name), line: symbol.line, kind: symbol.kind, group }]
  })
}

/** `operator ==` is written with a blank and without. */
const plain = (name: string): string => name.replace(/\s+/g, '')

function match(ours: readonly Named[], theirs: readonly Named[]) {
  const free = new Map<string, Named[]>()
  for (const tag of theirs) {
    const key = `${tag.group} ${tag.name}`
    free.set(key, [...(free.get(key) ?? []), tag])
  }
  const left: Named[] = []
  let matched = 0
  // Those on the same line first, so that a near one takes none away.
  for (const apart of [0, MAX_APART]) {
    const open = apart === 0 ? ours : left.splice(0)
    for (const symbol of open) {
      const list = free.get(`${symbol.group} ${symbol.name}`) ?? []
      const at = list.findIndex(({ line }) => Math.abs(line - symbol.line) <= apart)
      if (at < 0) left.push(symbol)
      else {
        list.splice(at, 1)
        matched++
      }
    }
  }
  return { matched, left, unmatched: [...free.values()].flat() }
}
