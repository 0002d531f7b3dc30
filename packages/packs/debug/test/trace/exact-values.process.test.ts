/** What a probe and a trace print can be told apart: a text is never taken for a number, a null or two values. */
import { expect, it } from 'vitest'
import { compile } from '../contract/compile.ts'
import { lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000

interface Entry {
  readonly language: string
  readonly path: string
  readonly program: string
  readonly files: Readonly<Record<string, string>>
  readonly build?: readonly [string, ...string[]]
  /** What the probe of `x` at the mark says, call by call. */
  readonly values: readonly string[]
  /** What the trace of the second call begins with. */
  readonly entered: string
}

const LANGUAGES: readonly Entry[] = [
  {
    language: 'node',
    path: 'a.mjs',
    program: 'a.mjs',
    files: {
      'a.mjs': `function f(x) {
  return [x] // here
}
f(1); f("1"); f(null); f("null"); f("a ;; b"); f("it's"); f({ k: "v" }); f([1, "1"]); f("two\\nlines"); f(-0)
`,
    },
    values: ['1', '"1"', 'null', '"null"', '"a ;; b"', '"it\'s"', '{k: "v"}', '[1, "1"]', '"two\\nlines"', '-0'],
    entered: 'enter f(x="1")',
  },
  {
    language: 'python',
    path: 'a.py',
    program: 'a.py',
    files: {
      'a.py': `def f(x):
    return [x]  # here
f(1); f("1"); f(None); f("None"); f("a ;; b"); f("it's"); f({"k": "v"}); f([1, "1"]); f("two\\nlines"); f(b"1")
`,
    },
    values: ['1', "'1'", 'None', "'None'", "'a ;; b'", '"it\'s"', "{'k': 'v'}", "[1, '1']", "'two\\nlines'", "b'1'"],
    entered: "enter f(x='1')",
  },
  {
    language: 'ruby',
    path: 'a.rb',
    program: 'a.rb',
    files: {
      'a.rb': `def f(x)
  [x] # here
end
f(1); f("1"); f(nil); f("nil"); f("a ;; b"); f(:a)
`,
    },
    values: ['1', '"1"', 'nil', '"nil"', '"a ;; b"', ':a'],
    entered: 'enter Object#f(x="1")',
  },
  {
    language: 'go',
    path: 'a.go',
    program: '.',
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a.go': `package main

func f(x interface{}) interface{} {
	return x // here
}

func main() {
	f(1)
	f("1")
	f(nil)
	f("nil")
}
`,
    },
    values: ['interface {}(int) 1', 'interface {}(string) "1"', 'interface {} nil', 'interface {}(string) "nil"'],
    entered: 'enter main.f(x=interface {}(string) "1"',
  },
  {
    language: 'cpp',
    path: 'a.cpp',
    program: 'a',
    files: {
      'a.cpp': `#include <string>
static int f(std::string x) {
  return (int)x.size();  // here
}
int main() {
  return f("one") + f("1") + f("") + f("a ;; b") - 10;
}
`,
    },
    build: ['g++', '-g', '-O0', '-o', 'a', 'a.cpp'],
    values: ['"one"', '"1"', '""', '"a ;; b"'],
    entered: 'enter f(x="1"',
  },
  {
    language: 'rust',
    path: 'a.rs',
    program: 'a',
    files: {
      'a.rs': `fn f(x: &str) -> usize {
    x.len() + 1 // here
}
fn main() {
    println!("{}", f("one") + f("1") + f("") + f("a ;; b"));
}
`,
    },
    build: ['rustc', '-g', '-o', 'a', 'a.rs'],
    values: ['"one"', '"1"', '""', '"a ;; b"'],
    entered: 'enter a::f(x="1"',
  },
]

it.each(LANGUAGES)('tells texts from what they read like, in $language', { timeout: LONG }, async (entry) => {
  const { language, path, program, files, build, values, entered } = entry
  const { call, root } = await bench.createWorkspace(files)
  if (build !== undefined) await compile(build[0], build.slice(1), root)
  const line = lineOf(files[path] ?? '', 'here')
  const timeoutMs = 120_000
  const probe = await call('debug_probe', {
    program,
    language,
    points: [{ path, line, expressions: ['x', 'x'] }],
    timeoutMs,
  })
  const seen = probe.data.hits as readonly { readonly values: readonly string[] }[]
  expect(seen.map((hit) => hit.values)).toEqual(values.map((value) => [value, value]))
  const trace = await call('debug_trace_function', { program, language, path, function: 'f', call: 2, timeoutMs })
  expect(trace.text).toContain(entered)
})

it('keeps what a Python message says beside an expression that fails, and lets all of them see the locals', {
  timeout: LONG,
}, async () => {
  const text = `def f(x):
    limit = 1
    return [x]  # here
for v in (1, "ab", 3):
    f(v)
`
  const { call } = await bench.createWorkspace({ 'a.py': text })
  const line = lineOf(text, 'here')
  const probe = await call('debug_probe', {
    program: 'a.py',
    points: [{ path: 'a.py', line, expressions: ['x + 1', '[limit + i for i in range(2)]'] }],
  })
  expect((probe.data.hits as readonly { values: unknown }[]).map(({ values }) => values)).toEqual([
    ['2', '[1, 2]'],
    [expect.stringMatching(/^<TypeError: /), '[1, 2]'],
    ['4', '[1, 2]'],
  ])
  const logMessage = '100% of {x} is \\{{len(x)}\\}, {{"k": x}["k"]}'
  const ended = await call('debug_start', {
    program: 'a.py',
    breakpoints: [{ path: 'a.py', line, condition: 'any(x == i + limit - 1 for i in (3, "ab"))', logMessage }],
  })
  expect(ended.text).toContain("100% of 3 is {<TypeError: object of type 'int' has no len()>}, 3")
})
