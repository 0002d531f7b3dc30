/** Compiled programs as agents meet them: without debug information, waiting for input, with values that are hard to read. */
import { describe, expect, test } from 'vitest'
import { findRustFormatters } from '../src/dap/engines/native.ts'
import { compile } from './contract/compile.ts'
import { useDebugBench } from './helpers/debug-bench.ts'

const TIMEOUT = 120_000
const bench = useDebugBench()

const CPP = `#include <iostream>
#include <string>

struct Point { int x; int y; };

int main() {
  Point point{3, 4};
  std::string line;
  std::getline(std::cin, line);
  std::cout << "read [" << line << "]" << std::endl;
  return point.x;
}
`

const RUST = `enum Shape { Named(String), Empty, Round(u8) }
fn main() {
    let none: Option<String> = None;
    let empty: Option<String> = Some(String::new());
    let full: Option<String> = Some("hi".to_string());
    let pointer: Option<Box<i32>> = None;
    let ok: Result<i32, String> = Ok(3);
    let bad: Result<i32, String> = Err("no".to_string());
    let shape = Shape::Named("a".to_string());
    let other = Shape::Empty;
    let round = Shape::Round(4);
    println!("ready");
    drop((none, empty, full, pointer, ok, bad, shape, other, round));
}
`

describe('a C++ program', () => {
  test(
    'that was compiled without -g says so, and has an empty input in place of a wait without end',
    async () => {
      await bench.write('app.cpp', CPP)
      await compile('g++', ['-o', 'app', 'app.cpp'], bench.workspace)
      const { text, data } = await bench.call('debug_start', {
        program: 'app',
        breakpoints: [{ path: 'app.cpp', line: 10 }],
      })
      expect(data.event).toBe('terminated')
      expect(text).toContain('app was compiled without debug information: compile it with -g')
      expect(text).toContain('out: read []')
    },
    TIMEOUT,
  )

  test(
    'shows what is inside its values',
    async () => {
      await bench.write('app.cpp', CPP)
      await compile('g++', ['-g', '-O0', '-o', 'app', 'app.cpp'], bench.workspace)
      const { text } = await bench.call('debug_start', {
        program: 'app',
        breakpoints: [{ path: 'app.cpp', line: 11 }],
      })
      expect(text).toContain('point={x:3, y:4}')
      expect(text).toContain('line=""')
      expect(text).not.toContain('DW_')
    },
    TIMEOUT,
  )
})

test(
  'a Rust program shows which variant its enums have, wherever that is hidden',
  async () => {
    await bench.write('app.rs', RUST)
    await compile('rustc', ['-g', '-A', 'warnings', '-o', 'app', 'app.rs'], bench.workspace)
    const { data } = await bench.call('debug_start', { program: 'app', breakpoints: [{ path: 'app.rs', line: 12 }] })
    const locals = Array.isArray(data.locals) ? data.locals : []
    const shown = Object.fromEntries(locals.map((local) => [Object(local).name, Object(local).value]))
    expect(Object.keys(shown)).toEqual(
      expect.arrayContaining(['none', 'empty', 'full', 'pointer', 'ok', 'bad', 'shape', 'other', 'round']),
    )
    // They come with rustup. Debian's are in a package that cannot stand beside lldb 19; then values are shown as stored.
    if (!(await findRustFormatters()).some((command) => command.includes('lldb_lookup'))) return
    expect(shown).toMatchObject({
      none: 'None',
      empty: 'Some("")',
      full: 'Some("hi")',
      pointer: 'None',
      ok: 'Ok(3)',
      bad: 'Err("no")',
      shape: 'Named("a")',
      other: 'Empty',
    })
    expect(shown.round).toMatch(/^Round\(/)
  },
  TIMEOUT,
)
