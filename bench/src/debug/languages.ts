/**
 * One small program in every language, with a line to stop at that has four variables around it: a counter, a sum, something
 * nested and something long. Written anew for every run; what must be compiled is.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'

const run = promisify(execFile)

export interface PreparedProgram {
  readonly language: string
  /** What is started. */
  readonly program: string
  /** What the breakpoint is set in. */
  readonly source: string
  readonly line: number
  /** The line after it in the order of the run. */
  readonly nextLine: number
  /** Interpreter that both are told to use. */
  readonly interpreter?: string
}

interface Language {
  readonly name: string
  /** What must be there; undefined when it is not. */
  prepare(folder: string): Promise<PreparedProgram>
}

const PYTHON = `def main():
    cfg = {"name": "demo", "limits": {"low": 1, "high": 10}}
    big = list(range(5000))
    total = 0
    for i in range(3):
        total = total + i
        last = total
    print("total", total, len(big), cfg["name"], last)


main()
`

const SCRIPT = (typed: boolean): string => `function main()${typed ? ': void' : ''} {
  const cfg = { name: 'demo', limits: { low: 1, high: 10 } }
  const big${typed ? ': number[]' : ''} = Array.from({ length: 5000 }, (_, index) => index)
  let total = 0
  for (let i = 0; i < 3; i++) {
    total = total + i
    globalThis.last = total
  }
  console.log('total', total, big.length, cfg.name)
}

main()
`

const CPP = `#include <cstdio>
#include <vector>
struct Limits { int low; int high; };
struct Config { const char *name; Limits limits; };
int main() {
  Config cfg = {"demo", {1, 10}};
  std::vector<int> big(5000, 7);
  int total = 0;
  for (int i = 0; i < 3; i++) {
    total = total + i;
    big[0] = total;
  }
  std::printf("total %d %zu %s\\n", total, big.size(), cfg.name);
}
`

const RUST = `struct Limits { low: i32, high: i32 }
struct Config { name: &'static str, limits: Limits }
fn main() {
    let cfg = Config { name: "demo", limits: Limits { low: 1, high: 10 } };
    let mut big: Vec<i32> = vec![7; 5000];
    let mut total = 0;
    for i in 0..3 {
        total = total + i;
        big[0] = total;
    }
    println!("total {} {} {} {}", total, big.len(), cfg.name, cfg.limits.low + cfg.limits.high);
}
`

const GO = `package main

import "fmt"

type limits struct{ low, high int }
type config struct {
	name   string
	limits limits
}

func main() {
	cfg := config{"demo", limits{1, 10}}
	big := make([]int, 5000)
	total := 0
	for i := 0; i < 3; i++ {
		total = total + i
		big[0] = total
	}
	fmt.Println("total", total, len(big), cfg.name)
}
`

const RUBY = `def main
  cfg = { name: "demo", limits: { low: 1, high: 10 } }
  big = (0...5000).to_a
  total = 0
  3.times do |i|
    total = total + i
    big[0] = total
  end
  puts "total #{total} #{big.length} #{cfg[:name]}"
end

main
`

function linesOf(text: string): Pick<PreparedProgram, 'line' | 'nextLine'> {
  const line = text.split('\n').findIndex((candidate) => candidate.includes('total = total + i')) + 1
  return { line, nextLine: line + 1 }
}

async function writeSource(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

async function prepareScript(folder: string, language: string, name: string, text: string): Promise<PreparedProgram> {
  const source = await writeSource(folder, name, text)
  return { language, program: source, source, ...linesOf(text) }
}

async function compile(command: string, args: readonly string[], cwd: string): Promise<void> {
  await run(command, args, { cwd, timeout: 300_000 })
}

/** One that has debugpy itself: not every debugger can lend it one. */
async function findPython(): Promise<string> {
  for (const candidate of ['python3', '/usr/bin/python3', 'python']) {
    try {
      const { stdout } = await run(candidate, ['-c', 'import debugpy, sys; print(sys.executable)'])
      return stdout.trim()
    } catch {}
  }
  throw new Error('no Python with debugpy is there')
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    prepare: async (folder) => {
      const interpreter = await findPython()
      return { ...(await prepareScript(folder, 'python', 'app.py', PYTHON)), interpreter }
    },
  },
  { name: 'JavaScript', prepare: (folder) => prepareScript(folder, 'javascript', 'app.mjs', SCRIPT(false)) },
  {
    name: 'TypeScript',
    async prepare(folder) {
      const text = SCRIPT(true).replace('globalThis.last', 'Object.assign(globalThis, { last: total }).last')
      const { code, map } = await transform(text, { loader: 'ts', sourcemap: true, sourcefile: '../src/app.ts' })
      await Promise.all([mkdir(join(folder, 'src')), mkdir(join(folder, 'dist'))])
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await writeFile(join(folder, 'dist', 'app.js.map'), map)
      const program = await writeSource(folder, 'dist/app.js', `${code}//# sourceMappingURL=app.js.map\n`)
      const source = await writeSource(folder, 'src/app.ts', text)
      return { language: 'typescript', program, source, ...linesOf(text) }
    },
  },
  {
    name: 'C++',
    async prepare(folder) {
      const source = await writeSource(folder, 'app.cpp', CPP)
      const program = join(folder, 'app')
      await compile('g++', ['-g', '-O0', '-o', program, source], folder)
      return { language: 'cpp', program, source, ...linesOf(CPP) }
    },
  },
  {
    name: 'Rust',
    async prepare(folder) {
      const source = await writeSource(folder, 'app.rs', RUST)
      const program = join(folder, 'app')
      await compile('rustc', ['-g', '-C', 'opt-level=0', '-o', program, source], folder)
      return { language: 'rust', program, source, ...linesOf(RUST) }
    },
  },
  {
    name: 'Go',
    async prepare(folder) {
      await writeFile(join(folder, 'go.mod'), 'module app\n\ngo 1.19\n')
      const prepared = await prepareScript(folder, 'go', 'app.go', GO)
      // The first build with the optimizer off compiles the standard library; that is nobody's merit or fault.
      await compile('go', ['build', '-gcflags=all=-N -l', '-o', join(folder, 'warm'), '.'], folder)
      return prepared
    },
  },
  { name: 'Ruby', prepare: (folder) => prepareScript(folder, 'ruby', 'app.rb', RUBY) },
]

/** The four that whoever stops at the line wants to see. */
export const LOCALS = ['i', 'total', 'cfg', 'big'] as const
