/** Lengths are true, and any part of a text can be read: engines cut what is long, each in its own way. */
import { describe, expect, test } from 'vitest'
import { compile } from './contract/compile.ts'
import { lineOf, useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000
/** More than any engine shows. */
const LENGTH = 100_000

interface Entry {
  readonly language: string
  readonly path: string
  readonly program: string
  readonly files: Readonly<Record<string, string>>
  readonly build?: readonly [string, ...string[]]
  /** All of them hold the same text. */
  readonly expressions: readonly string[]
}

const LANGUAGES: readonly Entry[] = [
  {
    language: 'node',
    path: 'a.mjs',
    program: 'a.mjs',
    files: {
      'a.mjs': `const text = 'x'.repeat(${LENGTH - 3}) + 'END'
const inside = { text }
console.log(inside.text.length) // here
`,
    },
    expressions: ['text', 'inside.text'],
  },
  {
    language: 'python',
    path: 'a.py',
    program: 'a.py',
    files: {
      'a.py': `text = "x" * ${LENGTH - 3} + "END"
inside = {"text": text}
print(len(text))  # here
`,
    },
    expressions: ['text', 'inside["text"]', 'text.encode()'],
  },
  {
    language: 'ruby',
    path: 'a.rb',
    program: 'a.rb',
    files: { 'a.rb': `text = 'x' * ${LENGTH - 3} + 'END'\ninside = [text]\nputs inside[0].length # here\n` },
    expressions: ['text', 'inside[0]'],
  },
  {
    language: 'go',
    path: 'a.go',
    program: '.',
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a.go': `package main

import "strings"

func main() {
	text := strings.Repeat("x", ${LENGTH - 3}) + "END"
	inside := []string{text}
	println(len(inside[0])) // here
}
`,
    },
    expressions: ['text', 'inside[0]'],
  },
  {
    language: 'cpp',
    path: 'a.cpp',
    program: 'a',
    files: {
      'a.cpp': `#include <string>
#include <cstdio>
struct Inside { std::string text; };
int main() {
  std::string text = std::string(${LENGTH - 3}, 'x') + "END";
  Inside inside{text};
  const char* plain = text.c_str();
  std::printf("%zu %c\\n", inside.text.size(), plain[0]);  // here
}
`,
    },
    build: ['g++', '-g', '-O0', '-o', 'a', 'a.cpp'],
    expressions: ['text', 'inside.text', 'plain'],
  },
]

describe.each(LANGUAGES)('a long text of $language', ({ language, path, program, files, build, expressions }) => {
  test('has its true length, and is read to its end', { timeout: LONG }, async () => {
    const { call, root } = await bench.createWorkspace(files)
    if (build !== undefined) await compile(build[0], build.slice(1), root)
    const breakpoints = [{ path, line: lineOf(files[path] ?? '', 'here') }]
    const start = await call('debug_start', { program, language, breakpoints, timeoutMs: 120_000 })
    expect(start.text).toMatch(new RegExp(`\\btext=[b"']+x+…\\(\\+${countLeft(start.text, 'text=')}\\)`))
    for (const expression of expressions) {
      const whole = await call('debug_evaluate', { expression })
      expect(whole.text).toContain(`…(+${countLeft(whole.text, '')})`)
      const begin = LENGTH - 10
      const end = await call('variable_get', { expression, start: begin, count: 1 })
      expect(end.text).toMatch(/^b?["']x{7}END["']$/)
      expect(end.data).toMatchObject({ length: LENGTH, pagination: { start: begin, shown: 10, hasMore: false } })
      const middle = await call('variable_get', { expression, start: 70_000, count: 25 })
      expect(middle.text).toMatch(/^b?["']x{1000}["']… \(29000 characters more: start=71000\)$/)
    }
  })

  /** So many characters are not shown, when the whole has its length. */
  function countLeft(text: string, name: string): number {
    const shown = /["'](x+)/.exec(text.slice(text.indexOf(name)))?.[1] ?? ''
    return LENGTH - shown.length + (isClosed(text, shown) ? 0 : 1)
  }

  /** A cut that leaves out the last quote counts it. */
  function isClosed(text: string, shown: string): boolean {
    return /^["']/.test(text.slice(text.indexOf(shown) + shown.length))
  }
})

test('what is inside a text can be had as well, and what is no text is paged as before', {
  timeout: LONG,
}, async () => {
  const text = `const list = Array.from({ length: 300 }, (_, i) => 'item ' + i)
console.log(list.length) // here
`
  const { call } = await bench.createWorkspace({ 'a.mjs': text })
  await call('debug_start', { program: 'a.mjs', breakpoints: [{ path: 'a.mjs', line: lineOf(text, 'here') }] })
  expect((await call('variable_get', { expression: 'list', start: 298 })).text).toBe('298="item 298"\n299="item 299"')
  expect((await call('variable_get', { expression: 'list.nothing', start: 298 })).text).toBe('undefined')
})
