/** What a program reads from its standard input can be given, in every language; without it there is nothing to read. */
import { describe, expect, test } from 'vitest'
import { compile } from './contract/compile.ts'
import { lineOf, useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000

interface Entry {
  readonly language: string
  readonly path: string
  readonly program: string
  readonly files: Readonly<Record<string, string>>
  readonly build?: readonly [string, ...string[]]
}

/** Each adds up the lines of numbers that it reads. */
const LANGUAGES: readonly Entry[] = [
  {
    language: 'node',
    path: 'a.mjs',
    program: 'a.mjs',
    files: {
      'a.mjs': `import { createInterface } from 'node:readline'
let sum = 0
for await (const line of createInterface({ input: process.stdin })) sum += Number(line)
console.log('sum', sum) // here
`,
    },
  },
  {
    language: 'python',
    path: 'a.py',
    program: 'a.py',
    files: { 'a.py': 'import sys\nsum = sum(int(line) for line in sys.stdin)\nprint("sum", sum)  # here\n' },
  },
  {
    language: 'ruby',
    path: 'a.rb',
    program: 'a.rb',
    files: { 'a.rb': 'sum = $stdin.each_line.sum(&:to_i)\nputs "sum #{sum}" # here\n' },
  },
  {
    language: 'go',
    path: 'a.go',
    program: '.',
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a.go': `package main

import "fmt"

func main() {
	sum, number := 0, 0
	for {
		if _, err := fmt.Scan(&number); err != nil {
			break
		}
		sum += number
	}
	fmt.Println("sum", sum) // here
}
`,
    },
  },
  {
    language: 'cpp',
    path: 'a.cpp',
    program: 'a',
    files: {
      'a.cpp': `#include <cstdio>
int main() {
  int sum = 0;
  for (int number; std::scanf("%d", &number) == 1;) sum += number;
  std::printf("sum %d\\n", sum);  // here
}
`,
    },
    build: ['g++', '-g', '-O0', '-o', 'a', 'a.cpp'],
  },
  {
    language: 'rust',
    path: 'a.rs',
    program: 'a',
    files: {
      'a.rs': `use std::io::BufRead;
fn main() {
    let lines = std::io::stdin().lock().lines();
    let sum: i64 = lines.map(|line| line.unwrap().parse::<i64>().unwrap()).sum();
    println!("sum {}", sum); // here
}
`,
    },
    build: ['rustc', '-g', '-o', 'a', 'a.rs'],
  },
]

describe.each(LANGUAGES)('the standard input of $language', ({ language, path, program, files, build }) => {
  test('is what the call gives, also after a restart', { timeout: LONG }, async () => {
    const { call, root } = await bench.createWorkspace(files)
    if (build !== undefined) await compile(build[0], build.slice(1), root)
    const breakpoints = [{ path, line: lineOf(files[path] ?? '', 'here') }]
    const timeoutMs = 120_000
    const start = await call('debug_start', { program, language, stdin: '20\n22\n', breakpoints, timeoutMs })
    expect(start.text).toMatch(/\bsum=42\b/)
    expect((await call('debug_restart', { timeoutMs })).text).toMatch(/\bsum=42\b/)
    expect((await call('debug_continue')).text).toContain('sum 42')
    const empty = await call('debug_start', { program, language, timeoutMs })
    expect(empty.text).toMatch(/\bsum=0\b/)
  })
})

test('a probe and a trace give it as well', { timeout: LONG }, async () => {
  const text =
    'import sys\ndef read():\n    word = sys.stdin.readline()\n    return word.strip()  # here\ngot = read()\nprint(got)\n'
  const { call } = await bench.createWorkspace({ 'a.py': text })
  const points = [{ path: 'a.py', line: lineOf(text, 'here'), expressions: ['word'] }]
  expect((await call('debug_probe', { program: 'a.py', stdin: 'né\n', points })).text).toContain("word='né\\n'")
  const trace = await call('debug_trace_function', { program: 'a.py', stdin: 'né\n', path: 'a.py', function: 'read' })
  expect(trace.text).toContain("returned 'né'")
})

test('more than a pipe holds is read to its end', { timeout: LONG }, async () => {
  const text =
    "let size = 0\nfor await (const piece of process.stdin) size += piece.length\nconsole.log('size', size)\n"
  const { call } = await bench.createWorkspace({ 'a.mjs': text })
  const ended = await call('debug_start', { program: 'a.mjs', stdin: 'x'.repeat(300_000) })
  expect(ended.text).toContain('size 300000')
})

test('a program that runs already has its own', { timeout: LONG }, async () => {
  const refused = await bench.call('debug_start', { language: 'node', attach: { port: 1 }, stdin: 'x' })
  expect(refused.error).toMatchObject({ code: 'invalid_arguments' })
  expect(refused.text).toContain('stdin')
})
