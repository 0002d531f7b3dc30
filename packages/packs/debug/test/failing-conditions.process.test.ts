/** A condition that fails for the values at hand does not hold; that it failed is told, so that nobody takes it for one that never held. */
import { describe, expect, test } from 'vitest'
import { lineOf, useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 120_000

const LANGUAGES = [
  {
    language: 'node',
    path: 'a.mjs',
    text: 'function f(n) {\n  return n // here\n}\nf(1)\nf(2)\nf({ at: { last: 5 } })\nconsole.log("done")\n',
    fails: 'n.at.first.second > 1',
    why: /TypeError: Cannot read properties of undefined/,
    holds: 'n.at.last > 1',
    name: 'f',
  },
  {
    language: 'python',
    path: 'a.py',
    text: 'def f(n):\n    return n  # here\nf(1)\nf(2)\nf({"last": 5})\nprint("done")\n',
    fails: 'n["first"] > 1',
    why: /TypeError: 'int' object is not subscriptable/,
    holds: 'n["last"] > 1',
    name: 'f',
  },
  {
    language: 'ruby',
    path: 'a.rb',
    text: 'def f(n)\n  n # here\nend\nf(1)\nf(2)\nf({ last: 5 })\nputs "done"\n',
    fails: 'n.first.second > 1',
    why: /NoMethodError: undefined method .first/,
    holds: 'n.fetch(:last) > 1',
    name: 'f',
  },
]

describe.each(LANGUAGES)('a condition of $language', ({ path, text, fails, why, holds, name }) => {
  const line = lineOf(text, 'here')

  test('that always fails is told at the end, and is not called one that never held', { timeout: LONG }, async () => {
    const { call } = await bench.createWorkspace({ [path]: text })
    const ended = await call('debug_start', { program: path, breakpoints: [{ path, line, condition: fails }] })
    expect(ended.data).toMatchObject({ event: 'terminated', exitCode: 0 })
    expect(ended.data).not.toHaveProperty('notHit')
    const [note, ...rest] = ended.data.notes as string[]
    expect(rest).toEqual([])
    expect(note).toContain(`the condition of b1 failed at ${path}:${line}, and so did not hold: `)
    expect(note).toMatch(why)
    expect(ended.text).toMatch(why)
    expect(ended.data.output).toBe('done\n')
  })

  test('that fails now and then stops where it holds, and the rest is told with it', { timeout: LONG }, async () => {
    const { call } = await bench.createWorkspace({ [path]: text })
    const stop = await call('debug_start', { program: path, breakpoints: [{ path, line, condition: holds }] })
    expect(stop.data).toMatchObject({ event: 'stopped', breakpoints: ['b1'], line })
    expect(stop.data.notes).toEqual([expect.stringContaining('the condition of b1 failed at')])
    expect((await call('debug_continue')).data).not.toHaveProperty('notes')
  })

  test('that fails is told by a probe and a trace', { timeout: LONG }, async () => {
    const { call } = await bench.createWorkspace({ [path]: text })
    const points = [{ path, line, expressions: ['n'], condition: fails }]
    const probe = await call('debug_probe', { program: path, points })
    expect(probe.text).toContain(`${path}:${line} was reached, and its condition failed: `)
    expect(probe.text).toMatch(why)
    const trace = await call('debug_trace_function', { program: path, path, function: name, condition: fails })
    expect(trace.code).toBe('E_NOT_CALLED')
    expect(trace.error.message).toMatch(why)
  })
})
