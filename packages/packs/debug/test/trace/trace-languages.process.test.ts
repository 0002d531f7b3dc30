import { expect, it } from 'vitest'
import { compile } from '../contract/compile.ts'
import { useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const LANGUAGES = [
  {
    language: 'ruby',
    path: 'a.rb',
    program: 'a.rb',
    files: { 'a.rb': 'def price(q)\n  rate = 1\n  rate = 3 if q > 5\n  q * rate\nend\n\nx = price(10)\nputs x\n' },
    trace: /enter Object#price\(q=10, rate=nil\) →2 rate=1 →3 rate=3 →4 →5 returned 30$/,
  },
  {
    language: 'go',
    path: 'a.go',
    program: '.',
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a.go':
        'package main\n\nfunc price(q int) int {\n\trate := 1\n\tif q > 5 {\n\t\trate = 3\n\t}\n\treturn q * rate\n}\n\nfunc main() {\n\tx := price(10)\n\tprintln(x)\n}\n',
    },
    trace: /enter main\.price\(q=10.*\) →4 .*rate=1 →5 →6 rate=3 →8.* returned/,
  },
  {
    language: 'cpp',
    path: 'a.cpp',
    program: 'a',
    files: {
      'a.cpp':
        'int price(int q) {\n  int rate = 1;\n  if (q > 5)\n    rate = 3;\n  return q * rate;\n}\nint main() {\n  int x = price(10);\n  return x - 30;\n}\n',
    },
    build: ['g++', '-g', '-O0', '-o', 'a', 'a.cpp'],
    trace: /enter price\(q=10, .*\) →2 rate=1 →3 →4 rate=3 →5 →6 returned/,
  },
  {
    language: 'rust',
    path: 'a.rs',
    program: 'a',
    files: {
      'a.rs':
        'fn price(q: i32) -> i32 {\n    let mut rate = 1;\n    if q > 5 {\n        rate = 3;\n    }\n    q * rate\n}\nfn main() {\n    let x = price(10);\n    println!("{}", x);\n}\n',
    },
    build: ['rustc', '-g', '-o', 'a', 'a.rs'],
    trace: /enter a::price\(q=10\) →2 rate=1 →3 →4 rate=3 .*→6.* returned/,
  },
] as const

it.each(LANGUAGES)('follows a call of a function in $language', { timeout: 180_000 }, async (entry) => {
  const { language, path, program, files, trace } = entry
  const { call, root } = await bench.createWorkspace(files)
  if ('build' in entry) await compile(entry.build[0], entry.build.slice(1), root)
  const answer = await call('debug_trace_function', { program, language, path, function: 'price', timeoutMs: 120_000 })
  expect(answer.text).toMatch(trace)
})
