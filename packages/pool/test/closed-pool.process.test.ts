/** Once closing has begun, nothing that could start a process is done any more. */
import { createLeakCheck, fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { McpPool } from '../src/mcp-pool.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

it('a closed pool refuses calls, requests, restarts and new configurations', async () => {
  const pool = new McpPool({ mcpServers: { a: fixtureCommand(), own: { ...fixtureCommand(), shared: false } } })
  await pool.call('a_echo', { text: 'x' })
  await pool.close()
  const refusal = { code: 'shutting_down', executed: false }
  await expect(pool.call('a_echo', { text: 'x' })).rejects.toMatchObject(refusal)
  await expect(pool.call('own_echo', { text: 'x' }, { caller: { instance: 'late' } })).rejects.toMatchObject(refusal)
  await expect(pool.request('a', 'ping')).rejects.toMatchObject(refusal)
  await expect(pool.reconfigure({ mcpServers: { b: fixtureCommand() } })).rejects.toMatchObject(refusal)
  expect(() => pool.restartServer('a')).toThrow(expect.objectContaining(refusal))
  expect(() => pool.start()).toThrow(expect.objectContaining(refusal))
})

it('a private server that was stopped by hand starts for nobody, until it is restarted', async () => {
  await using pool = new McpPool({ mcpServers: { own: { ...fixtureCommand(), shared: false } } })
  const callAs = (instance: string) => pool.call('own_echo', { text: instance }, { caller: { instance } })
  await callAs('early')
  await pool.stopServer('own')
  await expect(callAs('late')).rejects.toMatchObject({ code: 'server_stopped' })
  expect(pool.status()).toMatchObject([{ owner: 'early', state: 'stopped' }])
  pool.restartServer('own')
  expect(await callAs('late')).toMatchObject({ content: [{ text: 'late' }] })
})
