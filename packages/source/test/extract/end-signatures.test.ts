/** Interfaces whose members end with their lines. */
import { expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import { endSignatures } from '../../src/extract/preprocessed/end-signatures.ts'

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
    expect(endSignatures(piece.repeat(200_000))).toHaveLength(piece.length * 200_000)
  }
})
