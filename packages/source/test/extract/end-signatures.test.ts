/** Interfaces whose members end with their lines. */
import { expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import { blankVariance, endSignatures } from '../../src/extract/preprocessed/end-signatures.ts'

const extractor = new CodeExtractor({ timeout: 20_000 })

test('call signatures with types of their own do not end the interface', async () => {
  const text =
    'interface Make {\n  <T>(value: T): Box<T>\n  // the other\n  <T, U>(value: T, other: U): Box<U>\n  limit: number\n}\n'
  const { symbols = [], problems } = (await extractor.extract('a.ts', text)) ?? {}
  expect(symbols.map(({ kind, name, line }) => `${line} ${kind} ${name}`)).toEqual([
    '1 interface Make',
    '5 property limit',
  ])
  expect(problems).toEqual([])
})

test('what explains one may have many lines, and the one before may end with its arguments', async () => {
  const comment = `  /**\n${'   * words => {\n'.repeat(50)}   */\n`
  const text = `const make: {\n  (value: A): (self: O<A>) => B | C\n${comment}  <T>(value: T): Box<\n    T\n  >\n${comment}  <T, U>(value: T): U\n} = x\n`
  expect((await extractor.extract('a.ts', text))?.problems).toEqual([])
})

test.each([
  ['interface A<out T, in U, in out V> { a: T }', 'A'],
  ['export interface A<\n  out T extends B = B,\n  // words\n  out U\n> { a: T }', 'A'],
  ['type A<in T> = (a: T) => void', 'A'],
])('%j is read with what its parameters vary by', async (text, name) => {
  for (const path of ['a.ts', 'a.tsx']) {
    const { symbols = [], problems } = (await extractor.extract(path, text)) ?? {}
    expect(symbols[0]).toMatchObject({ name })
    expect(problems).toEqual([])
  }
})

test.each([
  'const is = "a"\n  in out\n',
  'f(a, out)\nlet out = 1\nfor (const x\n in y) {}\n',
  'const <out a={1} /> = b < out',
])('%j has nothing of the kind', (text) => {
  expect(blankVariance(text)).toBe(text)
})

test('a template with the type of its tag is no error', async () => {
  const text = 'const box = styled.div<{ isOpen: boolean }>`a: b`\nconst rows = await sql<Row[]>`select`.all()\n'
  for (const path of ['a.ts', 'a.tsx']) expect((await extractor.extract(path, text))?.problems).toEqual([])
})

test.each([
  'const map =\n  <T>(value: T) => value\n',
  'const run = (x) =>\n  <T>(value: T) => x\n',
  'const is = a\n< b\n',
  'call(\n  <T>(value: T) => value,\n)\n',
])('%j stays as it is', (text) => {
  expect(endSignatures(text)).toBe(text)
})

test('no place moves', () => {
  const text = 'interface A {\r\n  <T>(a: T): T\r\n\t<T>(b: T): T\n}\n'
  const ended = endSignatures(text)
  expect(ended).toHaveLength(text.length)
  expect(ended.replaceAll(';', ' ').replaceAll('\t', ' ')).toBe(text.replaceAll('\t', ' '))
})

test('the time that it takes grows with the text alone', () => {
  for (const piece of ['\n  <', '\n  // a\n  <T>', 'A\n <']) {
    expect(blankVariance(endSignatures(piece.repeat(200_000)))).toHaveLength(piece.length * 200_000)
  }
})
