/** What people write in JavaScript and TypeScript, and the grammars do not read by themselves. */
import { describe, expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import { readableScript } from '../../src/extract/preprocessed/readable-script.ts'

const extractor = new CodeExtractor({ timeout: 20_000 })

async function read(path: string, text: string) {
  const { symbols = [], problems = [] } = (await extractor.extract(path, text)) ?? {}
  return { problems, symbols: symbols.map(({ kind, name }) => `${kind} ${name}`) }
}

describe.each(['a.ts', 'a.tsx', 'a.d.ts'])('%s', (path) => {
  test.each([
    ['export type * from "./a"\nexport type B = 1\n', 'B'],
    ['export type * as A from "./a"\nexport type B = 1\n', 'B'],
    ['export const B: import("./a").Box<number>[] = []\n', 'B'],
    ["export const B: (import('./a').One | import('./b').Two<1>)[] = []\n", 'B'],
    ['declare module "x" {\n  global {\n    var B: 1\n  }\n}\n', 'B'],
    ['export interface A {\n  abstract?: boolean\n  B: 1\n}\n', 'B'],
    ['export type B = readonly [number: 1, symbol?: string]\n', 'B'],
    ['export default abstract class B {}\n', 'B'],
    ['export abstract class A {\n  abstract accessor B: number\n}\n', 'B'],
  ])('%j is read', async (text, name) => {
    const found = await read(path, text)
    expect(found.problems).toEqual([])
    expect(found.symbols.map((symbol) => symbol.split(' ').at(-1))).toContain(name)
  })
})

test.each([
  'for (using B of rows()) B.go()\n',
  'import defer * as B from "./b"\n',
  'class B {\n  #one = 1\n  #two\n\n  [three] = 3\n}\n',
  'const a = 1\nexport { a as null, a as in, a as instanceof }\nexport { a as default }\n',
])('%j is read', async (text) => {
  expect((await read('a.js', text)).problems).toEqual([])
})

test('a function without a name is declared without a body in a file of declarations alone', async () => {
  const text = 'declare const a: 1\nexport default function (): {\n  a: string\n}\n'
  expect(await read('a.d.ts', text)).toMatchObject({ problems: [], symbols: ['constant a'] })
  const broken = 'export default function (a {\n}\n'
  expect((await read('a.ts', broken)).problems).not.toEqual([])
})

test('a member that is called as a word of the language keeps its name', async () => {
  expect((await read('a.ts', 'interface A { abstract?: boolean }\n')).symbols).toContain('property abstract')
})

test.each([
  'import("./a").then(run)\n',
  'const is = abstract ? abstract : 1\n',
  'for (const a of b) {}\n',
  'const a = { as: 1 }\n',
  '#!/usr/bin/env node\n[1].map(a)\n',
])('%j stays as it is', (text) => {
  expect(readableScript('typescript', text)).toBe(text)
})

test('the time that it takes grows with the text alone', () => {
  const pieces = ['export ', 'import(', 'import("', 'global ', '\n#a\n', ' [', 'as ', '{ a as ', '\n\n  [', 'abstract ']
  for (const piece of pieces) {
    const text = piece.repeat(100_000)
    for (const grammar of ['javascript', 'typescript', 'tsx'] as const) {
      expect(readableScript(grammar, text)).toHaveLength(text.length)
    }
  }
})
