/** A stop says what happened in the language's own words: what is wrong with a text and where, what failed and why. */
import { describe, expect, test } from 'vitest'
import { compile } from './contract/compile.ts'
import { useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000

describe('a text that cannot be compiled', () => {
  const FILES = {
    'bad.js': 'const a = 1\nfunction f( {\n  return a\n}\n',
    'bad.mjs': 'export const x = 1 +;\n',
    'import.mjs': "import { x } from './bad.mjs'\nconsole.log(x)\n",
    'require.js': "const bad = require('./bad.js')\n",
    'bad.ts': 'const x: number = 1\nfunction f(: string) {}\n',
    'bad.py': 'def f(:\n    pass\n',
    'import.py': 'import bad\n',
    'bad.rb': 'def f(\n  1 +\nend\n',
  }

  test.each([
    ['bad.js', "exception bad.js:3 (s1)\nSyntaxError: Unexpected identifier 'a'\nbad.js:3\nreturn a\n       ^\n"],
    ['import.mjs', "SyntaxError: Unexpected token ';'\nbad.mjs:1\nexport const x = 1 +;\n                    ^\n"],
    ['bad.ts', 'bad.ts:2\nfunction f(: string) {}\n           ^\n'],
    ['import.py', 'bad.py:1\ndef f(:\n      ^\n'],
  ])('is shown with file, line and caret: %s', { timeout: LONG }, async (program, shown) => {
    const { call } = await bench.createWorkspace(FILES)
    const { text } = await call('debug_start', { program, timeoutMs: 60_000 })
    expect(text).toContain(shown)
    expect(text).not.toContain('without source')
  })

  test('is told beside the line that asks for it', { timeout: LONG }, async () => {
    const { call } = await bench.createWorkspace(FILES)
    const { text } = await call('debug_start', { program: 'require.js', timeoutMs: 60_000 })
    expect(text).toContain('exception require.js:1 in (top level)')
    expect(text).toContain('bad.js:3\nreturn a\n       ^\n')
  })

  test.each([
    ['bad.py', /bad\.py", line 1\n.*def f\(:\n +\^/],
    ['bad.rb', /bad\.rb:2: syntax error.*\n +1 \+\n +\^/],
  ])('ends a program that has no more to it, in its own words: %s', { timeout: LONG }, async (program, shown) => {
    const { call } = await bench.createWorkspace(FILES)
    expect((await call('debug_start', { program, timeoutMs: 60_000 })).text).toMatch(shown)
  })
})

test('JSON that is wrong is no text of the program', { timeout: LONG }, async () => {
  const { call } = await bench.createWorkspace({ 'app.js': "JSON.parse('{bad')\n" })
  const { text } = await call('debug_start', { program: 'app.js' })
  expect(text).toMatch(/^exception app\.js:1 in \(top level\) \(s1\)\nSyntaxError: .*\n>1 JSON/)
})

test('an assertion of Node tells what differs', { timeout: LONG }, async () => {
  const app = "const assert = require('node:assert')\nassert.deepStrictEqual({ a: [1, 2] }, { a: [1, 3] })\n"
  const { call } = await bench.createWorkspace({ 'app.js': app })
  const { text } = await call('debug_start', { program: 'app.js' })
  expect(text).toMatch(/AssertionError: Expected values .*\n[\s\S]*\n\+ +2\n- +3\n/)
})

test('a deadlock of Go is called one', { timeout: LONG }, async () => {
  const main = 'package main\n\nfunc main() {\n\tc := make(chan int)\n\tc <- 1\n}\n'
  const { call } = await bench.createWorkspace({ 'go.mod': 'module a\n\ngo 1.19\n', 'main.go': main })
  const { text } = await call('debug_start', { program: '.', language: 'go', timeoutMs: 120_000 })
  expect(text).toContain('exception main.go:5 in main.main')
  expect(text).toContain('fatal error: all goroutines are asleep - deadlock!')
})

test('a failed assertion and an uncaught exception of C++ have their messages', { timeout: LONG }, async () => {
  const main = `#include <cassert>
#include <stdexcept>
int main(int argc, char**) {
  if (argc > 1) throw std::runtime_error("bad thing");
  assert(argc == 2 && "two wanted");
}
`
  const { call, root } = await bench.createWorkspace({ 'a.cpp': main })
  await compile('g++', ['-g', '-O0', '-o', 'a', 'a.cpp'], root)
  const failed = await call('debug_start', { program: 'a' })
  expect(failed.text).toMatch(/exception a\.cpp:5 in main .*\nSIGABRT: Assertion `argc == 2 && "two wanted"' failed/)
  await call('debug_stop')
  const thrown = await call('debug_start', { program: 'a', args: ['x'] })
  expect(thrown.text).toMatch(/exception a\.cpp:4 in main .*\nstd::runtime_error: bad thing\n/)
})

test('a failed assertion of Rust tells both sides', { timeout: LONG }, async () => {
  const main = 'fn main() {\n    let a = vec![1];\n    assert_eq!(a.len(), 2, "sizes");\n}\n'
  const { call, root } = await bench.createWorkspace({ 'a.rs': main })
  await compile('rustc', ['-g', '-o', 'a', 'a.rs'], root)
  const { text } = await call('debug_start', { program: 'a' })
  expect(text).toContain('exception a.rs:3 in a::main')
  expect(text).toMatch(/panic: assertion [\s\S]*sizes/)
  expect(text).toMatch(/left: `?1`?,?\n *right: `?2`?/)
})
