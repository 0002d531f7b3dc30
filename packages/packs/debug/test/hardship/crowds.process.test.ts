/** Many sessions at once, of one agent and of several: each has its own program, breakpoints and answers. */
import { describe, expect, test } from 'vitest'
import { useDebugBench } from '../helpers/debug-bench.ts'

const JS = `const name = process.argv[2]
const next = name + '!'
console.log(next)
`
const PYTHON = `import sys
name = sys.argv[1]
next = name + '!'
print(next)
`
const CROWD = 20

const bench = useDebugBench({ maxSessions: CROWD })

describe('many at once', { timeout: 120_000 }, () => {
  test('twenty sessions of one agent stop, are looked at, and end, each for itself', async () => {
    await bench.write('app.js', JS)
    const names = Array.from({ length: CROWD }, (_, index) => `n${index}`)
    const begin = (name: string) =>
      bench.call('debug_start', { program: 'app.js', args: [name], until: { line: 3 }, timeoutMs: 80_000 })
    const started = await Promise.all(names.map(begin))
    expect(started.map(({ data }) => data.event)).toEqual(names.map(() => 'stopped'))
    const ids = started.map(({ data }) => String(data.sessionId))
    expect(new Set(ids).size).toBe(CROWD)
    const values = await Promise.all(
      ids.map((sessionId) => bench.call('debug_evaluate', { sessionId, expression: 'next' })),
    )
    expect(values.map(({ text }) => text).sort()).toEqual(names.map((name) => `"${name}!"`).sort())
    const refused = await begin('one too many')
    expect(refused).toMatchObject({ code: 'E_CAPACITY', text: expect.stringMatching(/20 debug sessions.*debug_stop/) })
    expect((await bench.call('debug_stop', { all: true })).data).toMatchObject({ stoppedCount: CROWD })
    expect((await begin('again')).data).toMatchObject({ event: 'stopped' })
  })

  test('two agents debug the same file of the same folder, with breakpoints of their own', async () => {
    await bench.write('app.js', JS)
    await bench.write('app.py', PYTHON)
    const agents = ['aaaa-111111', 'bbbb-222222']
    for (const [program, lines] of [
      ['app.js', [2, 3]],
      ['app.py', [3, 4]],
    ] as const) {
      const begun = await Promise.all(
        agents.map((instance, index) =>
          bench.call(
            'debug_start',
            { program, args: [instance], breakpoints: [{ path: program, line: lines[index] ?? 0 }], timeoutMs: 80_000 },
            { instance },
          ),
        ),
      )
      expect(begun.map(({ data }) => data.line)).toEqual(lines)
      const [one, other] = await Promise.all(
        agents.map((instance) => bench.call('debug_evaluate', { expression: 'name' }, { instance })),
      )
      expect([one?.text, other?.text].map((text) => text?.slice(1, -1))).toEqual(agents)
      // What the first does is nothing to the second.
      const [first = ''] = agents
      expect((await bench.call('debug_stop', {}, { instance: first })).data).toMatchObject({ stoppedCount: 1 })
      expect((await bench.call('debug_status', {}, { instance: first })).data).toMatchObject({ isActive: false })
      const next = await bench.call('debug_continue', {}, { instance: agents[1] ?? '' })
      expect(next.data).toMatchObject({ event: 'terminated', exitCode: 0 })
      expect(next.text).toContain('bbbb-222222!')
    }
  })
})
