import { describe, expect, it } from 'vitest'
import { useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const PROGRAM = `console.log('one')
console.error('two')
function fail() {
  throw new RangeError('no such thing')
}
fail()
`

describe('captured output of a real program', () => {
  it('can be read while it stands, and after its end', async () => {
    const { call } = await bench.createWorkspace({ 'app.mjs': PROGRAM })
    expect((await call('debug_start', { program: 'app.mjs' })).text).toContain('RangeError')
    await expect.poll(async () => (await call('dap_logs')).data.total).toBe(2)
    const stopped = await call('dap_exceptions')
    expect(stopped.data).toMatchObject({
      total: 1,
      exceptions: [
        { type: 'RangeError', message: 'no such thing', from: 'stop', before: expect.arrayContaining(['one']) },
      ],
    })
    expect(stopped.text).toContain('fail (app.mjs:4)')
    await call('debug_continue')
    expect((await call('dap_summary')).data).toMatchObject({
      session: { state: 'ended' },
      health: { hasExceptions: true, abnormalExit: true, exitCode: 1 },
    })
    const timeline = await call('dap_timeline', { granularity: 'milestones' })
    expect(timeline.text).toMatch(/stopped exception.*\n(?:.*\n)*.*exited code 1\n.*terminated/)
  })

  it('compares a run that fails with one that does not', async () => {
    const text = `console.log('begin')\nconsole.log(process.argv[2])\nprocess.exit(process.argv[2] === 'bad' ? 3 : 0)\n`
    const { call } = await bench.createWorkspace({ 'app.mjs': text })
    await call('debug_start', { program: 'app.mjs', args: ['good'] })
    await call('debug_start', { program: 'app.mjs', args: ['bad'] })
    const answer = await call('dap_compare', { sessionA: 's1', sessionB: 's2', compareBy: 'outputs' })
    expect(answer.data).toMatchObject({ differences: [{ what: 'line 2', a: 'good', b: 'bad' }] })
  })

  it('keeps the end of what a flood prints, and says what it dropped', async () => {
    const text = `for (let n = 0; n < 200_000; n++) console.log('line ' + n + ' ' + 'x'.repeat(60))\n`
    const { call } = await bench.createWorkspace({ 'flood.mjs': text })
    expect((await call('debug_start', { program: 'flood.mjs', timeoutMs: 60_000 })).data).toMatchObject({
      event: 'terminated',
      exitCode: 0,
    })
    const answer = await call('dap_logs', { count: 1 })
    expect(answer.text).toContain('line 199999')
    expect(answer.text).toMatch(/\d+ older lines were dropped/)
    expect((await call('dap_summary', { compact: true })).data).toMatchObject({
      counts: { stdout: 200_000 },
      health: { truncated: true },
    })
  })
})
