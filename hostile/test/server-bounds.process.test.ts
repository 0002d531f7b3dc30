/** Servers that never come to an end: of their lists, of their names, of what they say. */
import { readdir, stat } from 'node:fs/promises'
import { fixtureCommand, textOfAnswer, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { rawServer } from './support/raw-carriers.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const MEGABYTE = 1024 * 1024

test('lists without an end are cut, or refused with the reason, and nobody has to wait for them', async () => {
  const manners = [
    'endless_pages',
    'empty_pages',
    'same_cursor',
    'huge_cursors',
    'many_tools',
    'huge_entries',
    'restless',
  ]
  const entries = await Promise.all(manners.map((manner) => rawServer(manner)))
  const evil = Object.fromEntries(manners.map((manner, index) => [manner, entries[index]]))
  // So much of one server nobody is shown before a person has looked; here it is about the lists.
  const target = await targets.start({ definitions: 'warn', mcpServers: { ...evil, good: fixtureCommand({}) } })
  for (const name of ['good', 'endless_pages', 'empty_pages', 'huge_entries', 'restless'])
    await target.waitForState(name, 'ready')
  await waitForReason(target, 'same_cursor', 'run in a circle')
  await waitForReason(target, 'huge_cursors', 'A cursor of tools/list has')
  await waitForReason(target, 'many_tools', 'too large')

  const endless = await find(target, 'endless_pages')
  expect(endless?.tools).toBe(5_000)
  expect(endless?.missing).toEqual(['tools are left out: all beyond the first 5000'])
  expect((await find(target, 'empty_pages'))?.missing).toEqual(['tools are left out: all beyond 1000 pages'])
  const huge = await find(target, 'huge_entries')
  expect(huge?.tools).toBe(1)
  expect(huge?.missing).toEqual([expect.stringContaining('tools are left out: 3 with a name over')])

  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still here' }))).toBe('still here')
  expect(textOfAnswer(await agent.call('restless_seen'))).toBe('seen')
  expect((await target.run(['status'])).out).toContain('left out')
  await target.expectCalm()
})

test('a template that fits everything takes in nothing that is another one’s', async () => {
  const target = await targets.start({ mcpServers: { evil: await rawServer('greedy'), good: fixtureCommand({}) } })
  await target.waitForState('evil', 'ready')
  await target.waitForState('good', 'ready')
  const agent = await target.attach()
  const read = async (uri: string) => JSON.stringify(await agent.request('resources/read', { uri }))
  expect(await read('fixture://item/7')).toContain('{\\"id\\":\\"7\\"}')
  expect(await read('file:///etc/passwd')).toContain('unknown_resource')
  expect(await read('switchboard+evil:file:///a')).toContain('from the greedy one')
  await target.expectCalm()
})

test('floods of lines, progress, notices and questions keep nobody waiting and fill no disk', async () => {
  const target = await targets.start({ mcpServers: { evil: await rawServer('flood'), good: fixtureCommand({}) } })
  await target.waitForState('evil', 'ready')
  await target.waitForState('good', 'ready')
  await target.watchFromNow()
  const agent = await target.attach()
  const other = await target.attach()
  for (const tool of ['lines', 'progress', 'notices', 'questions']) {
    const flood = agent.request('tools/call', { name: `evil_${tool}`, arguments: {}, _meta: { progressToken: 'p' } })
    for (let count = 0; count < 10; count++)
      expect(textOfAnswer(await other.call('good_echo', { text: `${count}` })), tool).toBe(String(count))
    expect(textOfAnswer(await flood)).toBe('said it all')
  }
  await target.expectCalm()
  expect(await measureLogs(target)).toBeLessThan(20 * MEGABYTE)
  // What it wrote last may still be in the pipe.
  const isTold = async () =>
    (await target.run(['logs', '--source', 'server-evil', '--grep', 'left out'])).out.includes(
      'lines were left out here',
    )
  await waitFor(isTold, { what: 'the count of what was left out', timeout: 60_000, interval: 500 })
})

async function find(target: Target, server: string) {
  return (await target.status()).servers.find(({ name }) => name === server)
}

async function waitForReason(target: Target, server: string, reason: string): Promise<void> {
  await waitFor(async () => JSON.stringify(await find(target, server)).includes(reason), {
    what: `${server} to fail because of: ${reason}`,
    timeout: 60_000,
    interval: 50,
  })
}

async function measureLogs(target: Target): Promise<number> {
  const folder = target.home.file('logs')
  const sizes = (await readdir(folder)).map(async (name) => (await stat(`${folder}/${name}`)).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
