/** Real grammars on real sources. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Chunk, MAX_CHUNK } from '../../src/chunk/chunk.ts'
import { chunkSource } from '../../src/chunk/chunk-source.ts'
import { Syntax } from '../../src/syntax/syntax.ts'

const syntax = new Syntax()
const limits = { timeout: 20_000, isStopped: () => false }
const chunk = (path: string, text: string) => chunkSource(path, text, syntax, limits)
const labels = ({ chunks }: { chunks: readonly Chunk[] }): string[] =>
  chunks.map(({ kind, symbol, first, last }) => `${first}-${last} ${kind ?? '-'} ${symbol ?? '-'}`)

const body = (line: string, count: number): string => `${line}\n`.repeat(count)

describe('declarations stay whole, with their comments and their names', () => {
  test.each([
    [
      'a.ts',
      `import a from 'a'\nimport b from 'b'\n\n/** Why. */\nexport async function run() {\n${body('  step()', 120)}}\n\nexport class Box {\n  #size = 1\n  get size() { return this.#size }\n${body('  // more', 100)}}\n`,
      ['run', 'Box', '#size', 'size'],
    ],
    [
      'a.tsx',
      `export const View = () => <div>{text}</div>\n\nexport interface Props { title: string }\n`,
      ['View', 'Props', 'title'],
    ],
    [
      'a.js',
      `'use strict'\nfunction first() {}\nclass Second { third() {} }\nmodule.exports = { first }\n`,
      ['first', 'Second', 'third'],
    ],
    [
      'a.py',
      `import os\n\n@decorated\ndef first():\n    return 1\n\nclass Second:\n    def third(self):\n        pass\n`,
      ['first', 'Second', 'third'],
    ],
    [
      'a.go',
      `package main\n\nimport "fmt"\n\n// Box is one.\ntype Box struct { size int }\n\nfunc (b *Box) Grow() { fmt.Println(b) }\n\nconst Limit = 1\n`,
      ['Box', 'Grow', 'Limit'],
    ],
    [
      'a.rs',
      `use std::fs;\n\n#[derive(Debug)]\npub struct Reader { a: u8 }\n\nimpl<T> Reader<T> {\n    pub fn open(&self) {}\n}\n\nmod inner { fn deep() {} }\n`,
      ['Reader', 'open', 'inner', 'deep'],
    ],
    [
      'A.java',
      `package a;\nimport java.util.List;\n\npublic class A {\n  private int size;\n  public A() {}\n  int grow() { return 1; }\n  enum Kind { X }\n}\n`,
      ['A', 'size', 'grow', 'Kind'],
    ],
    [
      'a.c',
      `#include <stdio.h>\n#define LIMIT 1\nstruct box { int size; };\ntypedef struct box box_t;\nstatic int *grow(struct box *class) { return 0; }\n`,
      ['LIMIT', 'box', 'box_t', 'grow'],
    ],
    [
      'a.cpp',
      `#include <string>\nnamespace shop {\ntemplate <typename T> class Box {\n public:\n  void grow() {}\n};\n}\nvoid shop::run(int a) {}\n`,
      ['shop', 'Box', 'grow', 'run'],
    ],
    [
      'a.rb',
      `require 'set'\n\nmodule Shop\n  class Box\n    def grow; end\n    def self.make; end\n  end\nend\n`,
      ['Shop', 'Box', 'grow', 'make'],
    ],
  ])('in %s', async (path, text, names) => {
    const chunked = await chunk(path, text)
    expect(chunked.failure).toBeUndefined()
    const found = chunked.chunks.flatMap((one) => one.names)
    expect(found).toEqual(expect.arrayContaining(names))
  })
})

test('a large class is divided between its methods, a large function between its statements', async () => {
  const method = (name: string): string => `  ${name}() {\n${body('    this.value = this.value + 1', 40)}  }\n`
  const large = `function large() {\n${Array.from({ length: 30 }, (_, at) => `  if (value${at}) {\n${body('    step(again)', 8)}  }\n`).join('')}}\n`
  const text = `class Box {\n  value = 0\n${method('grow')}\n${method('shrink')}}\n\n${large}`
  const { chunks } = await chunk('a.js', text)
  const [head, second, ...others] = chunks.map(({ symbol }) => symbol)
  expect([head, second, others.includes('large')]).toEqual(['Box, Box.value, Box.grow', 'Box.shrink', true])
  const parts = chunks.filter(({ symbol }) => symbol === 'large')
  expect(parts.length).toBeGreaterThan(1)
  // Never in the middle of a statement.
  for (const part of parts.slice(1)) expect(part.text).toMatch(/^ {2}(?:if|\})/)
})

test('imports are one piece, and a comment of the file is none of the first declaration', async () => {
  const imports = Array.from({ length: 20 }, (_, at) => `import { a${at} } from './a${at}.ts'`).join('\n')
  const text = `/* License of this file. */\n\n${imports}\n\n/** Says why. */\nexport function run() {\n${body('  step()', 20)}}\n`
  const found = await chunk('a.ts', text)
  expect(labels(found)).toEqual(['1-22 imports -', '24-46 function run'])
})

test('what is taken in by require is an import and no declaration', async () => {
  const text = `'use strict'\nconst { a } = require('a')\nconst B = require('b')\nvar C = require('c').C\n\nfunction run() {}\n`
  const { chunks } = await chunk('a.js', text)
  expect(chunks.flatMap(({ names }) => names)).toEqual(['run'])
})

test('Markdown is divided by its headings, not by those in code', async () => {
  const text = `Intro, long enough to stand by itself in any piece of this page, whatever follows it in the text.\n\n# One\n\n${body('Words of the first part.', 5)}\n## Deep\n\n\`\`\`sh\n# not a heading\n\`\`\`\n${body('More words that are here.', 5)}\n# Two\n\nEnd of the page, which has enough words to be found by itself, and is found under its heading.\n`
  const { chunks } = await chunk('a.md', text)
  const joined = chunks.map(({ symbol }) => symbol).join(' | ')
  expect(joined).toContain('One > Deep')
  expect(joined).not.toContain('not a heading')
})

test('a text without a grammar is divided at its blank lines', async () => {
  const paragraph = (name: string): string => `${body(`The ${name} paragraph says something.`, 20)}\n`
  const { chunks } = await chunk('a.txt', ['first', 'second', 'third', 'fourth'].map(paragraph).join(''))
  expect(chunks.length).toBeGreaterThan(1)
  for (const { text } of chunks) expect(text).toMatch(/^The \w+ paragraph/)
})

test('a parse that takes too long is given up, and the file is divided by its blank lines', async () => {
  const text = `function a() { return 1 }\n\n`.repeat(20_000)
  const { failure, chunks } = await chunkSource('a.ts', text, new Syntax(), { timeout: 1, isStopped: () => false })
  expect(failure).toBe('slow')
  expect(chunks.length).toBeGreaterThan(100)
})

test('what is broken is parsed all the same, and nothing deep or wide brings it down', async () => {
  const texts = [
    'function a( {',
    `${'['.repeat(2_000)}`,
    `${'{'.repeat(2_000)}${'}'.repeat(2_000)}`,
    'a'.repeat(20_000),
    'else if (a) {} '.repeat(1_000),
    'else if (a) {}\n'.repeat(1_000),
    '',
    '\n\n\n',
    `x = [${'1,'.repeat(10_000)}]`,
  ]
  for (const text of texts) {
    for (const path of ['a.ts', 'a.py', 'a.cpp', 'a.rb', 'a.md', 'a.txt']) {
      const { chunks } = await chunk(path, text)
      expectWhole(text, chunks)
    }
  }
})

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

function* sourcesOf(folder: string, ending: RegExp, most: number): Generator<string> {
  let left = most
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !ending.test(entry.name) || left-- <= 0) continue
    yield join(entry.parentPath, entry.name)
  }
}

/** Every line that says something is in a piece, every piece has the text of its lines, and none is too large. */
function expectWhole(text: string, chunks: readonly Chunk[]): void {
  const lines = text.split('\n')
  const covered = new Set<number>()
  let last = 0
  for (const piece of chunks) {
    expect(piece.first).toBeGreaterThanOrEqual(last)
    expect(piece.text.length).toBeLessThanOrEqual(MAX_CHUNK)
    expect(lines.slice(piece.first - 1, piece.last).join('\n')).toContain(piece.text)
    for (let line = piece.first; line <= piece.last; line++) covered.add(line)
    last = piece.first
  }
  const missed = lines.flatMap((line, at) => (line.trim() !== '' && !covered.has(at + 1) ? [at + 1] : []))
  expect(missed).toEqual([])
}

test.each([
  ['typescript', /\.d\.ts$/],
  ['undici', /\.(?:js|ts|md)$/],
  ['vite', /\.(?:mjs|js|ts|md)$/],
  ['yaml', /\.(?:js|ts|md)$/],
])('every line of the sources of %s is in one piece', async (name, ending) => {
  let count = 0
  for (const file of sourcesOf(join(packages, name), ending, 40)) {
    const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
    const { chunks } = await chunk(file, text)
    expectWhole(text, chunks)
    count++
  }
  expect(count).toBeGreaterThan(3)
})
