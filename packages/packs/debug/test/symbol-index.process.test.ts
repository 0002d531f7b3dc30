/** Symbols without an editor: asked of an index that another pack would be. */
import { join } from 'node:path'
import type { CodeIndex, IndexAnswer, IndexedReference, IndexedSymbol } from '@switchboard/toolkit'
import { describe, expect, test } from 'vitest'
import { useDebugBench } from './helpers/debug-bench.ts'

const SHAPES =
  'export class Box {\n  size() {\n    return side(this)\n  }\n}\nexport function side(box) {\n  return box.size()\n}\n'
const OUTSIDE = 'void Box::open(int x) {\n}\nvoid Lid::open() {\n}\n'
const MAIN = "import { side } from './shapes.js'\nside(side)\nlog(1)\n"

/** As the lens would tell of these two files. */
class FakeIndex implements CodeIndex {
  isComplete = true
  readonly #symbols: readonly IndexedSymbol[]
  readonly #references: readonly IndexedReference[]

  constructor(workspace: string) {
    const path = join(workspace, 'shapes.js')
    const main = join(workspace, 'main.js')
    const size = { name: 'size', kind: 'method', line: 2, container: 'Box' }
    const side = { name: 'side', kind: 'function', line: 6 }
    this.#symbols = [
      { name: 'Box', kind: 'class', path, line: 1, endLine: 5 },
      { ...size, path, endLine: 4 },
      { ...side, path, endLine: 8 },
      { name: 'open', kind: 'function', path: join(workspace, 'outside.cc'), line: 1, endLine: 2 },
      { name: 'open', kind: 'function', path: join(workspace, 'outside.cc'), line: 3, endLine: 4 },
    ]
    this.#references = [
      { name: 'side', path, line: 3, column: 12, isCall: true, within: size },
      { name: 'size', path, line: 7, column: 14, isCall: true, within: side },
      { name: 'side', path: main, line: 1, column: 10, isCall: false },
      { name: 'side', path: main, line: 2, column: 1, isCall: true },
      { name: 'side', path: main, line: 2, column: 6, isCall: false },
      { name: 'log', path: main, line: 3, column: 1, isCall: true },
    ]
  }

  async search({ text, limit }: { text: string; limit: number }) {
    return this.#answer(
      this.#symbols.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
      limit,
    )
  }

  async outline(path: string) {
    const known = this.#symbols.filter((symbol) => symbol.path === path)
    return known.length === 0 ? undefined : this.#answer(known, 100)
  }

  async definitions({ name, limit }: { name: string; limit: number }) {
    return this.#answer(
      this.#symbols.filter((symbol) => symbol.name === name),
      limit,
    )
  }

  async references({ name, limit }: { name: string; limit: number }) {
    return this.#answer(
      this.#references.filter((reference) => reference.name === name),
      limit,
    )
  }

  async callsFrom({ path, line, endLine }: { path: string; line: number; endLine: number }) {
    const isInside = (reference: IndexedReference): boolean =>
      reference.path === path && reference.line >= line && reference.line <= endLine && reference.isCall
    return this.#answer(this.#references.filter(isInside), 100)
  }

  #answer<T>(all: readonly T[], limit: number): IndexAnswer<T> {
    return { items: all.slice(0, limit), total: all.length, isComplete: this.isComplete }
  }
}

const NOTE = '(From the index of the workspace, which goes by names alone; no editor answers for it.)'

describe('without an editor', () => {
  const bench = useDebugBench()

  async function open(): Promise<FakeIndex> {
    await bench.write('shapes.js', SHAPES)
    await bench.write('main.js', MAIN)
    const index = new FakeIndex(bench.workspace)
    bench.open({ codeIndex: () => index })
    return index
  }

  test('symbols are found in the index, and the answer says so', async () => {
    await open()
    expect(await bench.call('search_symbol_search', { query: 'si' })).toMatchObject({
      data: {
        source: 'index',
        total: 2,
        symbols: [
          { name: 'size', kind: 'method', path: 'shapes.js', line: 2, container: 'Box' },
          { name: 'side', kind: 'function', path: 'shapes.js', line: 6 },
        ],
      },
      text: expect.stringContaining(`method Box.size shapes.js:2\nfunction side shapes.js:6\n${NOTE}`),
    })
    const byKind = { mode: 'document', path: 'shapes.js', kinds: 'class, function' }
    expect(await bench.call('search_symbol_search', byKind)).toMatchObject({ data: { total: 2 } })
    expect(await bench.call('search_symbol_search', { query: 'si', limit: 1 })).toMatchObject({
      data: { total: 2, symbols: [{ name: 'size' }] },
    })
  })

  test('an index that is being made says that there may be more', async () => {
    const index = await open()
    index.isComplete = false
    const { text } = await bench.call('search_symbol_search', { query: 'si' })
    expect(text).toContain('It is not complete yet: there may be more.')
  })

  test('references come with their lines and the symbol around them', async () => {
    await open()
    const asked = { path: 'shapes.js', symbol: 'side', enrichWithFlowspaceIds: true }
    const { data } = await bench.call('symbol_navigate', asked)
    expect(data).toMatchObject({ source: 'index', symbol: 'side', total: 5 })
    expect(data?.locations).toEqual([
      { path: 'shapes.js', line: 6, column: 17, text: 'export function side(box) {' },
      { path: 'shapes.js', line: 3, column: 12, text: 'return side(this)', nodeId: 'method:shapes.js:Box.size' },
      { path: 'main.js', line: 1, column: 10, text: "import { side } from './shapes.js'" },
      { path: 'main.js', line: 2, column: 1, text: 'side(side)' },
      { path: 'main.js', line: 2, column: 6, text: 'side(side)' },
    ])
    expect(await bench.call('symbol_navigate', { ...asked, includeDeclaration: false })).toMatchObject({
      data: { total: 4 },
    })
  })

  test('callers are those whose calls the tree tells, and callees those that are defined in the workspace', async () => {
    await open()
    expect((await bench.call('symbol_calls', { path: 'shapes.js', symbol: 'side' })).data).toMatchObject({
      source: 'index',
      direction: 'incoming',
      calls: [
        { name: 'size', kind: 'method', path: 'shapes.js', line: 2, calledAt: [3] },
        { name: 'main.js', kind: 'file', path: 'main.js', line: 1, calledAt: [2] },
      ],
    })
    const outgoing = { nodeId: 'method:shapes.js:Box.size', direction: 'outgoing', enrichWithFlowspaceIds: true }
    expect((await bench.call('symbol_calls', outgoing)).data).toMatchObject({
      symbol: 'Box.size',
      calls: [{ name: 'side', line: 6, calledAt: [3], nodeId: 'function:shapes.js:side' }],
    })
  })

  test.each(['Box.open', 'Box::open'])(
    '%s that is defined outside of its class is found by what its line says',
    async (symbol) => {
      await open()
      await bench.write('outside.cc', OUTSIDE)
      const { data } = await bench.call('symbol_navigate', { path: 'outside.cc', symbol })
      expect(data?.locations).toMatchObject([{ path: 'outside.cc', line: 1, text: 'void Box::open(int x) {' }])
      const unknown = { path: 'outside.cc', symbol: 'Jar.open' }
      expect(await bench.call('symbol_navigate', unknown)).toMatchObject({ error: { code: 'E_SYMBOL_NOT_FOUND' } })
    },
  )

  test.each([
    ['symbol_calls', { path: 'shapes.js', symbol: 'nothing' }, 'E_SYMBOL_NOT_FOUND'],
    // Not indexed.
    ['symbol_calls', { path: 'main.js', symbol: 'side' }, 'E_NO_LANGUAGE_SERVER'],
    // A question of meaning.
    ['symbol_navigate', { path: 'shapes.js', symbol: 'Box', action: 'implementations' }, 'E_NO_LANGUAGE_SERVER'],
    // Only an editor changes files.
    ['symbol_rename', { path: 'shapes.js', symbol: 'side', newName: 'edge' }, 'E_NO_LANGUAGE_SERVER'],
  ])('%s of %j is refused with %s', async (tool, args, code) => {
    await open()
    expect(await bench.call(tool, args)).toMatchObject({ error: { code } })
  })

  test('without an index either, the editor is what is missing', async () => {
    await bench.write('shapes.js', SHAPES)
    const answer = await bench.call('symbol_navigate', { path: 'shapes.js', symbol: 'side' })
    expect(answer).toMatchObject({ error: { code: 'E_NO_LANGUAGE_SERVER' } })
    expect(answer.text).toContain('VS Code')
  })
})
