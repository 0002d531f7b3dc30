/** Modes behind the daemon's socket: what a front, a person's command and a restart of the daemon mean for them. */
import { readFile, stat } from 'node:fs/promises'
import { ModeFiles } from '@switchboard/daemon'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import type { SwitchboardInput } from '../../src/configuration/switchboard-file.ts'
import { type AttachedAgent, attachAgent, connectTo, openDaemon } from '../helpers/daemon-bench.ts'
import { useWorkbench } from '../helpers/workbench.ts'

const bench = useWorkbench()
const ME = 'aaaa-000001'

const configOf = (): SwitchboardInput => ({
  mcpServers: { fx: bench.fixture('fx') },
  modes: {
    talk: { description: 'Only talks', tools: { allow: ['fx_echo'] } },
    write: { description: 'Writes', writable: [`\${workspace}`] },
  },
})

/** The text of a result, or of its failure. */
async function call(agent: AttachedAgent, name: string, args: JsonObject = {}): Promise<string> {
  const { result } = await agent.call(name, args)
  if (!isJsonObject(result) || !Array.isArray(result.content)) return ''
  return result.content
    .filter(isJsonObject)
    .map(({ text }) => String(text))
    .join()
}

it('binds fronts and no command, and is blank before the first message of a front is read', async () => {
  const { daemon } = await openDaemon(bench, configOf())
  const front = await attachAgent(bench, { instance: ME })
  const file = bench.home.file('modes', `agent_mode_${ME}.json`)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ mode: null, set_by: 'activation' })
  const command = await attachAgent(bench, { role: 'command', instance: 'cccc-000003' })
  await daemon.switchboard.pool.ready()
  expect(await call(front, 'fx_echo', { text: 'x' })).toContain('[mode_required]')
  expect(await call(command, 'fx_echo', { text: 'x' })).toBe('x')
  await expect(stat(bench.home.file('modes', 'agent_mode_cccc-000003.json'))).rejects.toThrow('ENOENT')
})

it('survives a restart of the daemon, because its instance does', async () => {
  const first = await openDaemon(bench, configOf())
  await first.daemon.switchboard.pool.ready()
  const front = await attachAgent(bench, { instance: ME })
  await call(front, 'mode_get_instructions', { mode: 'talk' })
  await first.daemon.close({ force: true })
  const second = await openDaemon(bench, configOf())
  await second.daemon.switchboard.pool.ready()
  const back = await attachAgent(bench, { instance: ME })
  expect(await call(back, 'fx_echo', { text: 'still' })).toBe('still')
  expect(await call(back, 'fx_add', { a: 1, b: 2 })).toContain('[mode_denied]')
  expect(second.daemon.status().instances).toMatchObject([{ instance: ME, mode: 'talk' }])
})

it('is told to subscribers, whoever set it', async () => {
  const { daemon } = await openDaemon(bench, configOf())
  await daemon.switchboard.pool.ready()
  const events: JsonObject[] = []
  const watcher = await connectTo(bench)
  watcher.onEvent((event) => void (event.type === 'mode_changed' && events.push({ ...event })))
  await watcher.request('subscribe')
  const front = await attachAgent(bench, { instance: ME })
  await call(front, 'mode_get_instructions', { mode: 'talk' })
  await new ModeFiles({ directory: bench.home.file('modes') }).clear(ME, 'person')
  expect(await call(front, 'fx_echo', { text: 'x' })).toContain('[mode_required]')
  await waitFor(() => events.length === 2)
  expect(events).toEqual([
    { type: 'mode_changed', instance: ME, mode: 'talk' },
    { type: 'mode_changed', instance: ME, mode: null },
  ])
})

it('writes in the workspace that the front named, and is told with it', async () => {
  const { daemon } = await openDaemon(bench, configOf())
  await daemon.switchboard.pool.ready()
  const front = await attachAgent(bench, { instance: ME, workspace: bench.home.path })
  expect(await call(front, 'mode_get_instructions', { mode: 'write' })).toContain(`Writable: ${bench.home.path}`)
  // Its parameter is no path; what it holds is one.
  expect(await call(front, 'fx_progress', { count: 1, path: 'x' })).not.toContain('[mode_denied]')
  expect(await call(front, 'fx_progress', { count: 1, where: '/etc/passwd' })).toContain(
    `[mode_denied] The mode "write" does not let fx_progress use "/etc/passwd": it may write in ${bench.home.path}.`,
  )
})

it('switchboard_status names the daemon, and the windows besides as a number', async () => {
  await openDaemon(bench, configOf())
  const [front] = [await attachAgent(bench, { instance: ME }), await attachAgent(bench, { instance: 'bbbb-000002' })]
  const { result } = await front.call('switchboard_status')
  const told = { data: { daemon: { pid: process.pid }, instance: { id: ME, mode: null }, otherWindows: 1 } }
  expect(result).toMatchObject({ structuredContent: told })
})
