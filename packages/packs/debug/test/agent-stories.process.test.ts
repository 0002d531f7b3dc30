/** What agents meet when they debug real programs, and would be misled by: each answer must be true and say what to do. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useDebugBench } from './helpers/debug-bench.ts'

const TIMEOUT = 60_000
const bench = useDebugBench()

const LOOP = `function count(n) {
  let total = 0
  for (let i = 0; i < n; i++) {
    total += i
  }

  return total
}
console.log(count(5))
`

describe('a breakpoint', () => {
  test(
    'whose condition names what is not there stops, and the answer says why',
    async () => {
      await bench.write('app.mjs', LOOP)
      const breakpoints = [{ path: 'app.mjs', line: 4, condition: 'totl > 3' }]
      const { text } = await bench.call('debug_start', { program: 'app.mjs', breakpoints })
      expect(text).toMatch(/^breakpoint b1 app\.mjs:4/)
      expect(text).toContain('note: the condition of b1 fails: ReferenceError: totl is not defined')
    },
    TIMEOUT,
  )

  test(
    'whose condition fails only for the values of the moment does not stop; why it failed is told at the end',
    async () => {
      await bench.write('app.mjs', LOOP)
      const breakpoints = [{ path: 'app.mjs', line: 4, condition: 'i.none.there' }]
      const { text, data } = await bench.call('debug_start', { program: 'app.mjs', breakpoints })
      expect(text).toMatch(/^ended: exit code 0/)
      expect(data).not.toHaveProperty('notHit')
      expect(data.notes).toEqual([expect.stringMatching(/condition of b1 failed at app\.mjs:4.*: TypeError: /)])
    },
    TIMEOUT,
  )

  test(
    'in Python tells of a wrong condition as well, and a probe refuses it',
    async () => {
      await bench.write('app.py', 'def f(n):\n    return n + 1\n\nfor i in range(3):\n    f(i)\n')
      const breakpoints = [{ path: 'app.py', line: 2, condition: 'm > 1' }]
      const { text } = await bench.call('debug_start', { program: 'app.py', breakpoints })
      expect(text).toContain("note: the condition of b1 fails: NameError: name 'm' is not defined")
      await bench.call('debug_stop')
      const probe = await bench.call('debug_probe', {
        program: 'app.py',
        points: [{ path: 'app.py', line: 2, expressions: ['n'], condition: 'm > 1' }],
      })
      expect(probe.code).toBe('E_BREAKPOINT_INVALID')
      expect(probe.text).toContain('The condition "m > 1" fails at app.py:2')
    },
    TIMEOUT,
  )

  test(
    'that lies on an empty line says where it was set, and a file that is changed meanwhile that its lines may not fit',
    async () => {
      await bench.write('app.mjs', LOOP)
      const breakpoints = [{ path: 'app.mjs', line: 6 }]
      const { text } = await bench.call('debug_start', { program: 'app.mjs', breakpoints })
      expect(text).toContain('note: b1 was set on line 6, which has no code')
      await bench.write('app.mjs', `// new\n${LOOP}`)
      const after = await bench.call('debug_step_over')
      expect(after.text).toContain('note: app.mjs was changed after the program had started')
      const restarted = await bench.call('debug_restart')
      expect(restarted.text).not.toContain('was changed')
    },
    TIMEOUT,
  )

  test('with a wrong hit count starts nothing, and none of those beside it is kept', async () => {
    await bench.write('app.mjs', LOOP)
    const wrong = { path: 'app.mjs', line: 4, hitCondition: 'often' }
    const refused = await bench.call('debug_start', {
      program: 'app.mjs',
      breakpoints: [{ path: 'app.mjs', line: 2 }, wrong],
    })
    expect(refused.code).toBe('E_BREAKPOINT_INVALID')
    const { data } = await bench.call('debug_status')
    expect(data).toMatchObject({ sessions: [], totalBreakpoints: 0 })
  })
})

describe('a TypeScript program', () => {
  const CODE = `import { Kind, twice } from './kind.js'
console.log(twice(4), Kind.B)
`
  const KIND = `export enum Kind { A, B }
export function twice(n: number): number {
  const result = n * 2
  return result
}
`
  const COMPILED = `export var Kind;
(function (Kind) {
    Kind[Kind["A"] = 0] = "A";
    Kind[Kind["B"] = 1] = "B";
})(Kind || (Kind = {}));
export function twice(n) {
    const result = n * 2;
    return result;
}
`
  /** Line for line, as a compiler writes it. */
  const MAP = {
    version: 3,
    file: 'kind.js',
    sourceRoot: '',
    sources: ['../src/kind.ts'],
    names: [],
    mappings: 'AAAA;;;;;AACA;IACE;IACA;AACF',
  }

  async function writeProject(): Promise<void> {
    await bench.write('package.json', '{ "type": "module" }')
    await bench.write(
      'tsconfig.json',
      '{ "compilerOptions": { "outDir": "out", "rootDir": "src", "sourceMap": true } }',
    )
    await bench.write('src/main.ts', CODE)
    await bench.write('src/kind.ts', KIND)
  }

  test(
    'that only a compiler can make sense of runs as what was compiled of it, and stops in its source',
    async () => {
      await writeProject()
      await bench.write('out/main.js', CODE)
      await bench.write('out/kind.js', `${COMPILED}//# ${'source'}MappingURL=kind.js.map\n`)
      await bench.write('out/kind.js.map', JSON.stringify(MAP))
      const breakpoints = [{ path: 'src/kind.ts', line: 4 }]
      const { data } = await bench.call('debug_start', { program: 'src/main.ts', breakpoints })
      expect(data).toMatchObject({ event: 'stopped', path: 'src/kind.ts', line: 4, function: 'twice' })
    },
    TIMEOUT,
  )

  test('that was not compiled is refused with the line that needs it and what to do', async () => {
    await writeProject()
    const { code, text } = await bench.call('debug_start', { program: 'src/main.ts' })
    expect(code).toBe('E_LAUNCH_FAILED')
    expect(text).toMatch(/src\/main\.ts:1 has an import of "\.\/kind\.js", which is no file.*tsx.*compile/)
  })
})

describe('a folder in place of a program', () => {
  test('runs what its package.json names', async () => {
    await bench.write('app/package.json', '{ "main": "lib/start.js" }')
    await bench.write('app/lib/start.js', 'console.log("begun")\n')
    const { text } = await bench.call('debug_start', { program: 'app' })
    expect(text).toContain('out: begun')
  })

  test.each([
    ['Cargo.toml', '[package]\nname = "shop"\n', /run cargo build there, then start app\/target\/debug\/shop/],
    ['CMakeLists.txt', '', /build it with -g -O0, then start the compiled program/],
    ['calc.go', '// Package calc adds.\npackage calc\n', /is the Go package calc, which is no program/],
    ['notes.txt', '', /nothing in it tells what to run/],
  ])('with %s says what to do first', async (name, content, message) => {
    await bench.write(`app/${name}`, content)
    const { code, text } = await bench.call('debug_start', { program: 'app' })
    expect(code).toBe('E_INVALID_PROGRAM')
    expect(text).toMatch(message)
  })
})

describe('what an agent reads', () => {
  test(
    'names files as agents write them, in what the program prints as well',
    async () => {
      await bench.write('lib/app.mjs', 'console.log(import.meta.filename)\nthrow new Error("no")\n')
      const stop = await bench.call('debug_start', { program: 'lib\\app.mjs' })
      expect(stop.text).toContain('out: lib/app.mjs')
      const end = await bench.call('debug_continue')
      expect(end.text).toContain('at lib/app.mjs:2:7')
      const logs = await bench.call('dap_logs')
      const timeline = await bench.call('dap_timeline')
      expect(JSON.stringify([stop, end, logs, timeline])).not.toContain(bench.workspace)
    },
    TIMEOUT,
  )

  test(
    'does not call a change what it has set itself, and a stopped session stopped',
    async () => {
      await bench.write('app.mjs', LOOP)
      await bench.call('debug_start', { program: 'app.mjs', breakpoints: [{ path: 'app.mjs', line: 4 }] })
      await bench.call('variable_set', { name: 'total', value: '100' })
      const { text } = await bench.call('debug_step_over')
      expect(text).toContain('total=100')
      expect(text).not.toContain('(was')
      await bench.call('debug_stop')
      expect((await bench.call('debug_status')).text).toContain('s1 app.mjs (node) ended (it was stopped)')
    },
    TIMEOUT,
  )
})

describe('secrets', () => {
  const PROGRAM = `const values = ['sk-abcdefghij1234567890', 'ghp_abcdefghijklmnop1234', 'postgres://bob:hunter22@db/x']
const config = { user: 'bob', apiKey: 'q8Zt3Kd92LmX7vB1', inner: { AUTH: 'a81bc81bdead4e5da81b', list: [{ token: 'tok_3f9A8b7C6d5E4f3' }] } }
function use(apiKey, { inner }) {
  const auth = inner.AUTH
  console.log('using token=' + apiKey, values)
  return auth
}
use(config.apiKey, config)
throw new Error('login failed for ' + values[0])
`
  const SECRET = /.{0,80}(?:sk-abc|ghp_abc|hunter22|q8Zt3|a81bc|3f9A8)/

  /** Of a whole session, with every tool that shows values or output. */
  async function readEverything(): Promise<string> {
    await bench.write('app.mjs', PROGRAM)
    const use = { path: 'app.mjs', function: 'use' }
    const points = [{ path: 'app.mjs', line: 6, expressions: ['apiKey', 'inner', 'auth'] }]
    const calls: [string, Parameters<typeof bench.call>[1]?][] = [
      ['debug_start', { program: 'app.mjs', breakpoints: [{ path: 'app.mjs', line: 6 }] }],
      ['debug_step_over'],
      ['variable_list', { maxDepth: 4 }],
      ...['apiKey', 'inner', 'inner.list', 'values', 'JSON.stringify(inner)', 'fail(values[0])'].flatMap(
        (expression): [string, { expression: string }][] => [
          ['debug_evaluate', { expression }],
          ['variable_get', { expression }],
        ],
      ),
      ['debug_evaluate', { expression: '(() => { throw new Error(values[0]) })()' }],
      ['variable_save', { expression: 'inner', outputPath: 'saved.jsonl' }],
      ['debug_continue'],
      ['debug_continue'],
      ['dap_logs'],
      ['dap_search', { pattern: 'using' }],
      ['dap_exceptions'],
      ['dap_summary'],
      ['dap_timeline'],
      ['debug_probe', { program: 'app.mjs', points }],
      ['debug_trace_function', { program: 'app.mjs', ...use }],
      ['debug_trace_function', { program: 'app.mjs', ...use, condition: 'false' }],
    ]
    const answers: string[] = []
    for (const [tool, args] of calls) answers.push(`${tool} ${JSON.stringify(await bench.call(tool, args))}`)
    answers.push(await readFile(join(bench.workspace, 'saved.jsonl'), 'utf8'))
    return answers.join('\n')
  }

  test(
    'are in no answer and in no file that is written',
    async () => {
      const answers = await readEverything()
      expect(SECRET.exec(answers)?.[0]).toBeUndefined()
      expect(answers).toContain('[masked]')
    },
    TIMEOUT,
  )

  test(
    'are shown when a person wants it so',
    async () => {
      bench.open({ showSecrets: true })
      const answers = await readEverything()
      expect(answers).not.toContain('[masked]')
      expect(answers).toContain('sk-abcdefghij1234567890')
      expect(answers).toContain('tok_3f9A8b7C6d5E4f3')
    },
    TIMEOUT,
  )
})
