/** A symbol of a file, by the name that an agent gives it. */
import type { IndexedSymbol } from '@switchboard/toolkit'
import { ToolError } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import { SourceLines } from '../workspace/source-lines.ts'
import { type AskedIndex, qualified } from './ask-index.ts'

const MAX_NAMED = 20

/** As an editor finds it: by its whole name, else by the end of one. Overloads are one symbol. Undefined: the file is not indexed. */
export async function findIndexed(
  context: DebugContext,
  { index, asker }: AskedIndex,
  { path, symbol: asked }: { readonly path: string; readonly symbol: string },
): Promise<IndexedSymbol | undefined> {
  const symbol = asked.replaceAll('::', '.')
  const outline = await index.outline(path, asker)
  if (outline === undefined) return undefined
  const exact = outline.items.filter((item) => qualified(item) === symbol)
  const byEnd = exact.length > 0 ? exact : outline.items.filter((item) => qualified(item).endsWith(`.${symbol}`))
  const found = byEnd.length > 0 ? byEnd : findOutside(outline.items, symbol)
  const names = [...new Set(found.map(qualified))]
  if (names.length > 1) {
    throw new ToolError('E_AMBIGUOUS_SYMBOL', `${names.length} symbols are called "${asked}"`, {
      details: { names: names.slice(0, MAX_NAMED) },
    })
  }
  const [first] = found
  if (first === undefined) {
    const known = outline.items.slice(0, MAX_NAMED).map(qualified)
    const file = pathsOf(context).show(path)
    throw new ToolError('E_SYMBOL_NOT_FOUND', `There is no symbol "${asked}" in ${file}`, {
      details: { names: known },
    })
  }
  return first
}

/** What stands outside of its type, as the line says: `Box::open() {` in C++, `func (b *Box) open() {` in Go. */
function findOutside(items: readonly IndexedSymbol[], symbol: string): readonly IndexedSymbol[] {
  const [name, type] = symbol.split('.').reverse()
  if (name === undefined || type === undefined || !/^~?\w+$/.test(name) || !/^\w+$/.test(type)) return []
  const inPath = `\\b${type}(?:<[^()]*>)?\\s*::\\s*${name}\\b`
  const inReceiver = `\\(\\s*\\w*\\s*\\*?${type}(?:\\[[^\\]]*\\])?\\s*\\)\\s*${name}\\b`
  const written = new RegExp(`${inPath}|${inReceiver}`)
  const lines = new SourceLines()
  return items.filter((item) => item.name === name && written.test(lines.read(item.path, item.line)))
}
