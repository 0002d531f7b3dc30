/** A call over the death of a daemon: which is sent to the next one, and how often. */
import { fromToolErrorResult } from '@switchboard/protocol/errors'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Scene } from './scripted-daemon.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})
afterEach(() => scene.front.close())

const codeOf = (answer: Record<string, unknown>): string | undefined => fromToolErrorResult(answer.result)?.code

test('a call of a tool of which the daemon said that it only reads is sent to the next one, once; any other is not', async () => {
  const first = await scene.daemon(['recall'])
  await scene.initialize(first)
  const padding = 'x'.repeat(5_000)
  scene.say({ id: 1, method: 'tools/call', params: { name: 'recall', arguments: {} } })
  scene.say({ id: 2, method: 'tools/call', params: { name: 'save', arguments: { name: 'recall' } } })
  scene.say({ id: 3, method: 'tools/call', params: { arguments: { padding }, name: 'recall' } })
  await first.byId(3)
  first.die()
  expect(codeOf(await scene.agent.byId(2))).toBe('daemon_restarted')
  const second = await scene.daemon(['recall'])
  await scene.resume(second)
  await second.byId(3)
  expect(second.messages.flatMap(({ id }) => (typeof id === 'number' ? [id] : []))).toEqual([1, 3])
  second.say({ id: 1, result: { content: [] } })
  await scene.agent.byId(1)
  second.die()
  expect(codeOf(await scene.agent.byId(3))).toBe('daemon_restarted')
})

test('where a person stopped the daemon, no call is sent to another', async () => {
  const first = await scene.daemon(['recall'])
  await scene.initialize(first)
  scene.say({ id: 1, method: 'tools/call', params: { name: 'recall', arguments: {} } })
  await first.byId(1)
  first.announceStop()
  first.die()
  expect(codeOf(await scene.agent.byId(1))).toBe('daemon_restarted')
  expect(scene.asked).toEqual([])
})
