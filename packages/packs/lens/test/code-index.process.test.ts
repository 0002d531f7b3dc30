/** What other packs ask: symbols, references and calls of real sources, through the index. */
import { join } from 'node:path'
import type { CodeIndex, IndexAsker } from '@switchboard/toolkit'
import { expect, it } from 'vitest'
import { useLens } from './helpers/lens.ts'

const bench = useLens()

const FILES = {
  'shapes.ts':
    'export class Box {\n  size(): number {\n    return side(this)\n  }\n}\nexport function side(box: Box): number {\n  return box.size()\n}\n',
  'main.ts': "import { side } from './shapes.js'\nside(side)\n",
}

async function open(): Promise<{ index: CodeIndex; asker: IndexAsker; path: (name: string) => string }> {
  const workspace = await bench.folder(FILES)
  const lens = await bench.open({ workspace })
  await lens.call('lens_rebuild')
  const index = lens.pack.codeIndex
  if (index === undefined) throw new Error('The lens answers no other pack.')
  const caller = { era: 'legacy' as const, capabilities: {}, workspace }
  return {
    index,
    asker: { caller, workspace, signal: AbortSignal.timeout(60_000) },
    path: (name) => join(workspace, name),
  }
}

it('tells symbols with what they stand in, by words, by name and by file', async () => {
  const { index, asker, path } = await open()
  const size = { name: 'size', kind: 'method', path: path('shapes.ts'), line: 2, endLine: 4, container: 'Box' }
  expect(await index.search({ text: 'size', limit: 5 }, asker)).toEqual({ items: [size], total: 1, isComplete: true })
  expect(await index.definitions({ name: 'size', limit: 5 }, asker)).toMatchObject({ items: [size] })
  expect(await index.outline(path('shapes.ts'), asker)).toMatchObject({
    items: [{ name: 'Box' }, size, { name: 'side', line: 6 }],
    total: 3,
  })
  expect(await index.outline(path('nothing.ts'), asker)).toBeUndefined()
  expect(await index.outline('/etc/passwd', asker)).toBeUndefined()
})

it('tells references and calls with the symbol around them', async () => {
  const { index, asker, path } = await open()
  expect(await index.references({ name: 'side', limit: 10 }, asker)).toEqual({
    items: [
      { name: 'side', path: path('main.ts'), line: 1, column: 10, isCall: false },
      { name: 'side', path: path('main.ts'), line: 2, column: 1, isCall: true },
      { name: 'side', path: path('main.ts'), line: 2, column: 6, isCall: false },
      {
        name: 'side',
        path: path('shapes.ts'),
        line: 3,
        column: 12,
        isCall: true,
        within: { name: 'size', kind: 'method', line: 2, container: 'Box' },
      },
    ],
    total: 4,
    isComplete: true,
  })
  const calls = await index.callsFrom({ path: path('shapes.ts'), line: 6, endLine: 8 }, asker)
  expect(calls).toMatchObject({ items: [{ name: 'size', line: 7, within: { name: 'side' } }], total: 1 })
})
