/** The program's runtime may be an older Node than ours; the machine's own often is. */
import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type DebugWorkspace, lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 120_000
const OLD = process.env.SWITCHBOARD_TEST_NODE_20 ?? '/usr/bin/node'
const { stdout: version } = await promisify(execFile)(OLD, ['--version']).catch(() => ({ stdout: '' }))
/** The same is asked of both; without a Node 20 its part is skipped. */
const RUNTIMES = [
  { runtime: 'our Node', node: process.execPath, isThere: true },
  { runtime: 'Node 20', node: OLD, isThere: version.startsWith('v20.') },
]

function environmentWith(node: string): Record<string, string> {
  const { PATH = '', ...own } = process.env as Record<string, string>
  return { ...own, PATH: `${dirname(node)}${delimiter}${PATH}` }
}

const TESTS = `import assert from 'node:assert'
import { describe, it, test } from 'node:test'

describe('sums', () => {
  it('adds', () => {
    const sum = 1 + 1
    assert.strictEqual(sum, 3) // fails here
  })
  it('passes', () => {
    assert.strictEqual(1, 1) // passes here
  })
  describe('inner', () => {
    test('waits', async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      assert.ok(false) // fails later
    })
  })
})
describe('others', () => {
  it('passes', () => {})
})
`

const THROWS = `import assert from 'node:assert'
import { existsSync } from 'node:fs'
import { thrower } from './node_modules/thrower/index.mjs'
async function later() {
  await new Promise((resolve) => setTimeout(resolve, 1))
  throw new RangeError('later') // third
}
function fail(text) {
  throw new TypeError(text) // first
}
try { fail('caught') } catch {}
try { JSON.parse('{') } catch {} // second
await later().catch(() => {})
await Promise.reject(new Error('rejected')).catch(() => {}) // fourth
await new Promise((_, reject) => reject(new Error('made'))).catch(() => {}) // fifth
try { assert.equal(1, 2) } catch {} // sixth
try { thrower() } catch {} // seventh
existsSync('nowhere')
try { new URL('http://ok') } catch {}
console.log('done')
`

const CATCHES = `const { readFileSync } = require('node:fs')
try {
  readFileSync('nowhere')
} catch (error) {
  console.log(error.code) // caught
}
console.log('done')
`

async function stopLines({ call }: DebugWorkspace, env: Record<string, string>): Promise<unknown[]> {
  const lines: unknown[] = []
  for (
    let { data } = await call('debug_start', { program: 'throws.mjs', exceptions: 'all' }, { env });
    data.event === 'stopped';
    { data } = await call('debug_continue')
  ) {
    lines.push(data.line)
  }
  return lines
}

describe.each(RUNTIMES)('with $runtime', { timeout: LONG }, ({ runtime, node, isThere }) => {
  const env = environmentWith(node)

  test.runIf(isThere)('a test inside of suites stops where it fails, alone', async () => {
    const { call } = await bench.createWorkspace({ 'a.test.mjs': TESTS })
    for (const [mark, name] of [
      ['fails here', 'sums > adds'],
      ['fails later', 'sums > inner > waits'],
    ] as const) {
      const line = lineOf(TESTS, mark)
      const answer = await call('test_debug_single', { path: 'a.test.mjs', line }, { env })
      expect(answer.data).toMatchObject({ outcome: 'stopped', test: { name }, snapshot: { line } })
      await call('debug_stop')
    }
  })

  test.runIf(isThere)('a test that has a namesake is run alone or refused, never mistaken', async () => {
    const { call } = await bench.createWorkspace({ 'a.test.mjs': TESTS })
    const answer = await call('test_debug_single', { path: 'a.test.mjs', line: lineOf(TESTS, 'passes here') }, { env })
    if (runtime === 'Node 20') expect(answer).toMatchObject({ code: 'E_DISCOVERY_FAILED' })
    else expect(answer.data).toMatchObject({ outcome: 'passed' })
  })

  test.runIf(isThere)('every exception stops it when all are wanted', async () => {
    const workspace = await bench.createWorkspace({
      'throws.mjs': THROWS,
      'node_modules/thrower/index.mjs':
        'export function thrower() {\n  try { throw 1 } catch {}\n  throw new Error("library")\n}\n',
    })
    const lines = await stopLines(workspace, env)
    expect(lines).toEqual(
      ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'].map((mark) => lineOf(THROWS, `// ${mark}`)),
    )
  })

  test.runIf(isThere).each(['debug_step_over', 'debug_step_into', 'debug_step_out'])(
    '%s goes through no code of the runtime when a module that is loaded throws',
    async (step) => {
      const { call } = await bench.createWorkspace({
        'absent.js': "require('./b.js')\n",
        'b.js': "require('./nowhere.js')\n",
        'bad.js': "require('./c.js')\n",
        'c.js': 'function f( {\n  return a\n}\n',
        'throws.js': "require('./d.js')\n",
        'd.js': "throw new Error('no d')\n",
      })
      for (const [program, line] of [
        ['absent.js', 'b.js:1'],
        ['bad.js', 'bad.js:1'],
        ['throws.js', 'd.js:1'],
      ] as const) {
        expect((await call('debug_start', { program }, { env })).text).toContain(`exception ${line} in (top level)`)
        expect((await call(step)).data).toMatchObject({ event: 'terminated', exitCode: 1 })
      }
    },
  )

  test.runIf(isThere)('a step from what the runtime has thrown leads to where it is caught', async () => {
    const { call } = await bench.createWorkspace({ 'app.js': CATCHES })
    for (const step of ['debug_step_over', 'debug_step_into']) {
      const start = await call('debug_start', { program: 'app.js', exceptions: 'all' }, { env })
      expect(start.data).toMatchObject({ reason: 'exception', line: lineOf(CATCHES, "readFileSync('") })
      expect((await call(step)).data).toMatchObject({
        reason: 'step',
        path: 'app.js',
        line: lineOf(CATCHES, '// caught'),
      })
      expect((await call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 0 })
    }
  })
})
