/** `switchboard trust` as a person types it, where no daemon runs: the records of the home are all that it needs. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

let home: TestHome

const tools = (says: string) => [
  { name: 'send', description: `Sends a note. ${says}` },
  { name: 'list', description: `Lists notes. ${says}` },
]

beforeEach(async () => {
  home = await TestHome.create()
  const script = {
    builtInTools: false,
    startsFile: home.file('starts'),
    tools: tools('To you.'),
    overrides: { '1': {}, later: { tools: tools('To everybody.') } },
  }
  await writeFile(home.file('config.json'), JSON.stringify({ mcpServers: { notes: fixtureCommand(script) } }))
})

afterEach(() => home[Symbol.asyncDispose]())

test('a server that changed is looked at, accepted tool by tool or as a whole, and taken back', async () => {
  expect((await home.run(['trust', 'list'])).out).toMatch(/notes +not seen yet +0 +– +never seen/)
  expect(await home.run(['call', 'notes_send'])).toMatchObject({ code: 0, out: 'send\n' })
  const changed = await home.run(['call', 'notes_send'])
  expect(changed.code).toBe(69)
  expect(changed.err).toContain('The tool send of notes is held back: its description changed')
  expect(changed.err).toContain('switchboard trust accept notes')

  const list = await home.run(['trust', 'list'])
  expect(list.out).toMatch(/^SERVER +STATE +ACCEPTED +WAITING +KNOWN\nnotes +2 held back/)
  expect(list.out).toContain('trust list notes" shows what changed')
  const one = await home.run(['trust', 'list', 'notes'])
  expect(one.out).toContain('-   To you.\n')
  expect(one.out).toContain('+   To everybody.\n')

  const refused = await home.run(['trust', 'accept', 'notes'])
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('Say --yes if you are sure.')
  const json = await home.run(['trust', 'accept', 'notes/send', '--yes', '--json'])
  expect(JSON.parse(json.out)).toMatchObject({ server: 'notes', accepted: [{ kind: 'tool', name: 'send' }], left: 1 })
  expect(await home.run(['call', 'notes_send'])).toMatchObject({ code: 0, out: 'send\n' })
  expect((await home.run(['call', 'notes_list'])).code).toBe(69)

  const wrong = await home.run(['trust', 'accept', 'notes/none', '--yes'])
  expect(wrong.code).toBe(2)
  expect(wrong.err).toContain('There is list.')
  expect((await home.run(['trust', 'accept', 'notes', '-y'])).out).toContain('Accepted 1 definition of notes')
  expect((await home.run(['trust', 'accept', 'notes'])).out).toBe('Nothing of notes waits to be accepted.\n')

  expect((await home.run(['trust', 'revoke', 'notes'])).out).toContain('Took notes back')
  expect((await home.run(['call', 'notes_list'])).err).toContain('its server was taken back')
  const taken = JSON.parse((await home.run(['trust', 'list', 'notes', '--json'])).out)
  expect(taken.servers).toMatchObject([{ server: 'notes', isRevoked: true, accepted: 0 }])
  // Its two tools, its two prompts, and what it says of itself.
  expect(taken.servers[0].waiting).toHaveLength(5)
})

test('a server that was taken back before anything of it was seen is accepted again', async () => {
  await home.run(['trust', 'revoke', 'notes'])
  expect((await home.run(['trust', 'accept', 'notes'])).err).toContain('Say --yes if you are sure.')
  expect((await home.run(['trust', 'accept', 'notes', '--yes'])).out).toBe(
    'Accepted notes, as it is when it is seen next.\n',
  )
  expect(await home.run(['call', 'notes_send'])).toMatchObject({ code: 0, out: 'send\n' })
})

test('a server whose record is damaged is held back, and accepted again as it is seen next', async () => {
  await home.run(['call', 'notes_list'])
  const folder = home.file('trust')
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  await writeFile(join(folder, file), '{"version":')
  const refused = await home.run(['call', 'notes_list'])
  expect([refused.code, refused.err.includes('held back')]).toEqual([69, true])
  expect((await home.run(['trust', 'accept', 'notes', '--yes'])).out).toContain('Accepted 5 definitions of notes')
  expect(JSON.parse((await home.run(['trust', 'list', 'notes', '--json'])).out).servers).toMatchObject([
    { isRevoked: false, waiting: [] },
  ])
})

test.each([
  ['list', 'note'],
  ['accept', 'note'],
  ['revoke', 'note'],
])('%s of a server that nobody knows names the nearest', async (command, server) => {
  const { code, err } = await home.run(['trust', command, server])
  expect([code, err.includes('Did you mean "notes"?')]).toEqual([2, true])
})

test('what is gone from the configuration is told, and forgotten on demand', async () => {
  await home.run(['call', 'notes_send'])
  await writeFile(home.file('config.json'), '{}')
  expect((await home.run(['trust', 'list'])).out).toContain('not configured any more')
  expect((await home.run(['trust', 'revoke', 'notes'])).out).toContain('Forgot what was accepted of notes')
  expect((await home.run(['trust', 'list'])).out).toBe('No server is configured, and none was ever seen.\n')
})
