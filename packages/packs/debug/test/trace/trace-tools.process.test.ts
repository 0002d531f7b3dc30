import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const NODE = `function price(q) {
  let rate = 0.1
  if (q > 5) {
    rate = 0.3
  }
  const total = 100 * (1 - rate)
  return total
}

async function later(q) {
  const first = q + 1
  await new Promise((resolve) => setTimeout(resolve, 5))
  const second = first + 1
  return second
}

for (const q of [1, 10]) console.log(price(q))
const token = 'hunter2Kd92LmX7vB1'
console.log((await later(1)) + token.length)
`

const LONG = 120_000

describe('debug_trace_function', () => {
  it(
    'follows a call of a Node program, by name, in one answer',
    async () => {
      const { call } = await bench.createWorkspace({ 'app.mjs': NODE })
      const answer = await call('debug_trace_function', {
        program: 'app.mjs',
        path: 'app.mjs',
        function: 'price',
        call: 2,
      })
      expect(answer.text).toMatch(
        /^app\.mjs enter price\(q=10.*\) →2 .*rate=0\.1 →3 →4 rate=0\.3 →6 total=70 →7.* returned/,
      )
      expect(answer.text.length).toBeLessThan(200)
    },
    LONG,
  )

  it(
    'goes along with an async function over its waits',
    async () => {
      const { call } = await bench.createWorkspace({ 'app.mjs': NODE })
      const answer = await call('debug_trace_function', { program: 'app.mjs', path: 'app.mjs', function: 'later' })
      expect(answer.text).toMatch(/→11 first=2 →12 →13 second=3 →14/)
    },
    LONG,
  )

  it(
    'traces in the session that is there, and leaves it standing with its breakpoints',
    async () => {
      const { call } = await bench.createWorkspace({ 'app.mjs': NODE })
      const line = lineOf(NODE, 'let rate')
      await call('debug_start', {
        program: 'app.mjs',
        breakpoints: [{ path: 'app.mjs', line: lineOf(NODE, 'for (const') }],
      })
      const answer = await call('debug_trace_function', { path: 'app.mjs', line, condition: 'q > 5' })
      expect(answer.data).toMatchObject({ outcome: 'returned', steps: { length: 5 } })
      expect((await call('debug_evaluate', { expression: 'q' })).text).toContain('10')
      expect((await call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 0 })
    },
    LONG,
  )

  it(
    'says why there is nothing to follow',
    async () => {
      const { call } = await bench.createWorkspace({
        'app.mjs': NODE,
        'bad.mjs': 'function never() {\n  return 1\n}\nthrow new Error("early")\n',
      })
      const trace = (args: object) => call('debug_trace_function', { path: 'app.mjs', ...args })
      expect(await trace({ function: 'prize', program: 'app.mjs' })).toMatchObject({ code: 'E_FUNCTION_NOT_FOUND' })
      expect((await trace({ function: 'prize', program: 'app.mjs' })).text).toContain('price')
      expect(await trace({ program: 'app.mjs' })).toMatchObject({ code: 'invalid_arguments' })
      expect(await trace({ line: 999, program: 'app.mjs' })).toMatchObject({ code: 'E_INVALID_LINE' })
      expect(await trace({ function: 'price' })).toMatchObject({ code: 'E_NO_SESSION' })
      const uncalled = await trace({ function: 'price', program: 'app.mjs', condition: 'q > 99' })
      expect(uncalled).toMatchObject({ code: 'E_NOT_CALLED' })
      expect(uncalled.text).toContain('exit code 0')
      const early = await call('debug_trace_function', { program: 'bad.mjs', path: 'bad.mjs', function: 'never' })
      expect(early.code).toBe('E_NOT_CALLED')
      expect(early.text).toContain('early')
    },
    LONG,
  )
})

describe('debug_probe', () => {
  it(
    'tells values over a whole run, and masks secrets',
    async () => {
      const { call } = await bench.createWorkspace({ 'app.mjs': NODE })
      const answer = await call('debug_probe', {
        program: 'app.mjs',
        points: [
          { path: 'app.mjs', line: lineOf(NODE, 'return total'), expressions: ['q', 'total'] },
          { path: 'app.mjs', line: lineOf(NODE, 'later(1)'), expressions: ['token'] },
        ],
      })
      expect(answer.text).toContain('app.mjs:7 q=1 total=90\napp.mjs:7 q=10 total=70\n')
      expect(answer.text).toContain('exit code 0')
      expect(answer.text).not.toContain('hunter2')
    },
    LONG,
  )

  it(
    'tells points that are never reached, and a time that is over',
    async () => {
      const { call } = await bench.createWorkspace({
        'spin.mjs': 'let turns = 0\nwhile (true) {\n  turns++\n  if (turns < 0) {\n    console.log(turns)\n  }\n}\n',
      })
      const answer = await call('debug_probe', {
        program: 'spin.mjs',
        points: [{ path: 'spin.mjs', line: 5, expressions: ['turns'] }],
        timeoutMs: 3_000,
      })
      expect(answer.text).toContain('spin.mjs:5 was never reached')
      expect(answer.text).toContain('The time was over')
      expect(answer.data).toMatchObject({ outcome: 'time' })
    },
    LONG,
  )

  it(
    'ends the program when the call is cancelled',
    async () => {
      const { call, root } = await bench.createWorkspace({
        'spin.mjs':
          "import { writeFileSync } from 'node:fs'\nwriteFileSync('pid', String(process.pid))\nwhile (true) {\n  globalThis.x = 1\n}\n",
      })
      const controller = new AbortController()
      const points = [{ path: 'spin.mjs', line: 4, expressions: ['1'], condition: 'false' }]
      const answer = call('debug_probe', { program: 'spin.mjs', points }, { signal: controller.signal })
      const readPid = async (): Promise<number> => Number(await readFile(join(root, 'pid'), 'utf8'))
      const pid = await waitFor(readPid, { what: 'the program to spin', timeout: 60_000 })
      controller.abort(new Error('the agent is gone'))
      expect(await answer).toMatchObject({ isError: true, code: 'E_CANCELLED' })
      await waitFor(async () => !(await isAlive(pid)), { what: 'the program to be gone' })
    },
    LONG,
  )

  it('needs something to run', async () => {
    const { call } = await bench.createWorkspace({ 'app.mjs': NODE })
    const points = [{ path: 'app.mjs', line: 1, expressions: ['1'] }]
    expect(await call('debug_probe', { points })).toMatchObject({ code: 'invalid_arguments' })
  })

  it(
    'probes a test',
    async () => {
      const text = `def price(q):
    return q * 2

def test_price():
    for q in (1, 2):
        price(q)
`
      const { call } = await bench.createWorkspace({ 'test_shop.py': text })
      const points = [{ path: 'test_shop.py', line: 2, expressions: ['q'] }]
      const answer = await call('debug_probe', { test: { path: 'test_shop.py', line: 5 }, points })
      expect(answer.text).toContain('test_shop.py:2 q=1\ntest_shop.py:2 q=2\n')
    },
    LONG,
  )
})
