/** What is broken, huge or made by a program. */
import { createSeededRandom } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import { FIXTURES } from './fixtures.ts'

const extractor = new CodeExtractor({ timeout: 20_000 })

test('what cannot be read is said with its place, and the rest of the file is known', async () => {
  const text = 'export function first() {}\nconst = 3 }\nexport function second() { return first( }\nclass Third {}\n'
  const extraction = await extractor.extract('a.ts', text)
  expect(extraction?.symbols.map(({ name }) => name)).toEqual(['first', 'second', 'Third'])
  expect(extraction?.problems.length).toBeGreaterThan(0)
  for (const { severity, start, end, line, column, message } of extraction?.problems ?? []) {
    expect(severity).toBe('error')
    expect(start >= 0 && start <= end && end <= text.length).toBe(true)
    expect(line >= 1 && line <= 5 && column >= 1).toBe(true)
    expect(message).not.toBe('')
  }
})

test('what is missing is said by its name', async () => {
  const extraction = await extractor.extract('A.java', 'class A { int x = 1 }\n')
  expect(extraction?.problems).toMatchObject([{ code: 'syntax.missing', expected: ';', line: 1, column: 20 }])
})

test('in C it may have been a macro, and is no error', async () => {
  const extraction = await extractor.extract('a.c', 'int f(void) { return 1 @ 2; }\nint g(void) { return 3; }\n')
  expect(extraction?.symbols.map(({ name }) => name)).toEqual(['f', 'g'])
  expect(extraction?.problems.map(({ severity }) => severity)).toEqual(['information'])
})

test('a file without a grammar, or without text, is not read', async () => {
  expect(await extractor.extract('a.md', '# title')).toBeUndefined()
  expect(await extractor.extract('a.ts', Buffer.from([1, 0, 2, 0]))).toBeUndefined()
  expect(await extractor.extract('de.ts', '<?xml version="1.0"?>\n<!DOCTYPE TS><TS language="de"/>\n')).toBeUndefined()
  expect(await extractor.extract('de.ts', '\n<!DOCTYPE TS>\n<TS language="de"/>\n')).toBeUndefined()
  expect(CodeExtractor.profileOf('a.md')).toBeUndefined()
  expect([CodeExtractor.profileOf('x/a.h'), CodeExtractor.profileOf('a.cpp')]).toEqual(['c cpp', 'cpp'])
})

test('one that a program wrote, or that is too large, has no symbols and says why', async () => {
  const minified = `var a=1;${'function b(){return a}'.repeat(2_000)}`
  expect(await extractor.extract('a.js', minified)).toMatchObject({
    symbols: [],
    problems: [{ code: 'syntax.minified', severity: 'information' }],
  })
  const large = 'var a = 1;\n'.repeat(200_000)
  expect((await extractor.extract('a.js', large))?.problems).toMatchObject([{ code: 'syntax.too-large' }])
})

test('a text that takes too long is given up, and the next one is read', async () => {
  const hasty = new CodeExtractor({ timeout: 0 })
  const text = 'function a() { return (((1)));\n'.repeat(20_000)
  expect((await hasty.extract('a.js', text))?.problems).toMatchObject([{ code: 'syntax.slow' }])
  expect((await extractor.extract('a.js', 'function b() {}'))?.symbols).toMatchObject([{ name: 'b' }])
})

test('of a file with more names than anybody looks for the first are known', async () => {
  const text = Array.from({ length: 25_000 }, (_, number) => `int v${number};`).join('\n')
  const extraction = await extractor.extract('a.c', text)
  expect(extraction?.symbols.length).toBe(20_000)
  expect(extraction?.problems).toMatchObject([{ code: 'syntax.cut' }])
})

test('deep nesting ends nobody', async () => {
  const depth = 20_000
  for (const path of ['a.js', 'a.py', 'a.c', 'a.rb']) {
    const extraction = await extractor.extract(path, `x = ${'('.repeat(depth)}1${')'.repeat(depth)}\n`)
    expect(extraction?.language).toBeDefined()
  }
})

test('broken texts of every language give places inside the file', async () => {
  const random = createSeededRandom(7)
  for (const { path, text } of FIXTURES) {
    const whole = `${text.join('\n')}\n`
    for (let round = 0; round < 40; round++) {
      const from = random.below(whole.length)
      const broken =
        whole.slice(0, from) +
        random.pick(['', '{', '"', ')', '\u0000é', 'class ']) +
        whole.slice(from + random.below(9))
      const extraction = await extractor.extract(path, broken)
      const end = Buffer.byteLength(broken)
      for (const symbol of extraction?.symbols ?? []) {
        expect(symbol.start >= 0 && symbol.start <= symbol.end && symbol.end <= end).toBe(true)
        expect(symbol.parent ?? -1).toBeLessThan(extraction?.symbols.indexOf(symbol) ?? 0)
      }
      for (const problem of extraction?.problems ?? []) {
        expect(problem.start >= 0 && problem.start <= problem.end && problem.end <= end).toBe(true)
      }
      for (const { start, within } of extraction?.references ?? []) {
        expect(start).toBeLessThan(end)
        if (within !== undefined) expect(extraction?.symbols[within]).toBeDefined()
      }
    }
  }
})
