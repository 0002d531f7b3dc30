/** The symbols of a repository as we tell them and as ctags does: what both have, and what only one of them has. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodeExtractor, type ExtractedSymbol } from '@switchboard/source/extract'
import { listTags, type Tag } from './ctags.ts'
import { type ComparedLanguage, groupOf, isInFunction } from './languages.ts'

/** Lines that a name may be apart: ctags gives the line of a keyword, we that of the name. */
const MAX_APART = 2
const MAX_SHOWN = 3

export interface Difference {
  readonly side: 'ours' | 'ctags'
  readonly kind: string
  readonly count: number
  readonly examples: readonly string[]
}

export interface Comparison {
  readonly files: number
  readonly both: number
  readonly ours: number
  readonly ctags: number
  readonly recall: number
  readonly precision: number
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
  const only = new Map<string, { count: number; examples: string[] }>()
  const note = (side: Difference['side'], file: string, { kind, name, line }: Named): void => {
    const key = `${side} ${kind}`
    const known = only.get(key) ?? { count: 0, examples: [] }
    known.count++
    if (known.examples.length < MAX_SHOWN) known.examples.push(`${name} (${file}:${line})`)
    only.set(key, known)
  }
  let both = 0
  let ours = 0
  let ctags = 0
  for (const file of files) {
    const extraction = await extractor.extract(file, await readFile(join(folder, file)))
    const told = selectOurs(extraction?.symbols ?? [], language)
    const tagged = theirs.get(join(folder, file)) ?? []
    ours += told.length
    ctags += tagged.length
    const { matched, left, unmatched } = match(told, tagged)
    both += matched
    for (const symbol of left) note('ours', file, symbol)
    for (const tag of unmatched) note('ctags', file, tag)
  }
  const differences = [...only].map(([key, { count, examples }]): Difference => {
    const [side = '', kind = ''] = key.split(' ')
    return { side: side === 'ours' ? 'ours' : 'ctags', kind, count, examples }
  })
  return {
    files: files.length,
    both,
    ours,
    ctags,
    recall: ctags === 0 ? 1 : both / ctags,
    precision: ours === 0 ? 1 : both / ours,
    differences: differences.sort((a, b) => b.count - a.count),
  }
}

async function readTheirs(
  folder: string,
  files: readonly string[],
  language: ComparedLanguage,
): Promise<Map<string, Named[]>> {
  const tags = new Map<string, Named[]>()
  for await (const tag of listTags(files.map((file) => join(folder, file)))) {
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
