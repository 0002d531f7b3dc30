/** The watchdog itself: one that never bites proves nothing. */
import { readFile } from 'node:fs/promises'
import { fixtureCommand } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { useTargets } from './support/target.ts'

const targets = useTargets()

/** When it is told to: on the processor for a second of the process's own time, most of it the loop's, or held by the system for 1.5 seconds. */
const STALLS = `process.on('SIGUSR2', () => {
  const begin = process.cpuUsage()
  for (let used = { user: 0, system: 0 }; used.user + used.system < 1_000_000; used = process.cpuUsage(begin));
})
process.on('SIGWINCH', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500))`

test('a daemon that is left in peace is calm, and answers', async () => {
  const target = await targets.start({ mcpServers: { a: fixtureCommand({}) } })
  await target.waitForState('a', 'ready')
  const agent = await target.attach()
  const answer = await agent.call('a_echo', { text: 'hello' })
  expect(JSON.stringify(answer.result)).toContain('hello')
  await target.expectCalm()
})

test.each(['SIGUSR2', 'SIGWINCH'] as const)('an event loop that stands still is told (%s)', async (signal) => {
  const target = await targets.start(
    {},
    { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(STALLS)}` } },
  )
  process.kill(target.pid, signal)
  await expect(target.expectCalm()).rejects.toThrow(/stood still/)
})

test('a daemon that ended is told, with its last words', async () => {
  const target = await targets.start({})
  const log = await readFile(target.home.file('run', 'daemon.json'), 'utf8')
  expect(JSON.parse(log)).toMatchObject({ pid: target.pid })
  process.kill(target.pid, 'SIGKILL')
  await target.program.ended
  await expect(target.expectCalm()).rejects.toThrow(/does not answer/)
})

test('memory beyond its bound is told', async () => {
  const target = await targets.start({})
  await expect(target.expectCalm({ memory: 1 })).rejects.toThrow(/megabytes/)
})
