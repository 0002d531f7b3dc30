/** A server with more tools than anybody wants listed, and what is said of it. */
import { fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonHome } from '../daemon-home.ts'

let daemon: DaemonHome
beforeEach(async () => {
  daemon = await DaemonHome.create({ mcpServers: {} })
})
afterEach(() => daemon.dispose())

const ADVICE =
  /1\d\d tools, about [\d.]+k tokens in every conversation: with switchboard tools --search on agents find tools by\s+searching, which saves about [\d.]+k of them/

test('a long list is told of with what searching saves; on, it is short, and the advice is gone', async () => {
  await daemon.up()
  const tools = Array.from({ length: 120 }, (_, index) => ({
    name: `tool_${index}`,
    description: `The tool number ${index}, which does much and is described at length. `.repeat(5),
  }))
  const { command, args = [] } = fixtureCommand({ marker: daemon.path, tools })
  const added = await daemon.run(['server', 'add', 'many', '--', command, ...args])
  expect(added.out).toMatch(ADVICE)
  const before = await daemon.json(['status'])
  expect(before.advice).toMatch(ADVICE)
  expect((await daemon.run(['tools'])).out).toMatch(ADVICE)
  expect((await daemon.run(['tools', '--search', 'on'])).out).toContain('Agents find tools by searching')
  const after = await daemon.json(['status'])
  expect(after.advice).toBeUndefined()
  const costs = (status: Record<string, unknown>): number =>
    (status.profiles as { name: string; tokens: number }[]).find(({ name }) => name === 'default')?.tokens ?? 0
  expect(costs(after)).toBeLessThan(costs(before) / 4)
  expect((await daemon.run(['tools', '--search', 'off'])).out).toContain('all tools listed')
  expect((await daemon.run(['tools'])).out).toMatch(ADVICE)
})
