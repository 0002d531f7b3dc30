/**
 * A server that hides characters, gives orders to the model, takes another one's name, links to a file of the machine, and is
 * another one once it was accepted: each of it is told, and harms nobody.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { fixtureCommand, type LineAgent, textOfAnswer, waitFor } from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { expect, test } from 'vitest'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const UNTRUE = fileURLToPath(new URL('support/untrue-server.mjs', import.meta.url))
const MEGABYTES_10 = 10_000_000

interface Attack {
  readonly target: Target
  /** What the server was called with. */
  calls(): Promise<string>
}

async function start(more: JsonObject = {}, characters = 0): Promise<Attack> {
  const target = await targets.start({ mcpServers: {}, ...more })
  const [starts, calls] = [target.home.file('starts'), target.home.file('calls')]
  const evil = { command: process.execPath, args: [UNTRUE, starts, calls, String(characters)] }
  const good = fixtureCommand({
    builtInTools: false,
    tools: [{ name: 'say_note', description: 'Says what is noted.' }],
  })
  // The honest one was there first.
  await configure(target, { mcpServers: { good }, ...more })
  await target.waitForState('good', 'ready')
  await configure(target, { mcpServers: { good, evil }, ...more })
  return { target, calls: () => readFile(calls, 'utf8').catch(() => '') }
}

async function configure(target: Target, config: JsonObject): Promise<void> {
  await writeFile(target.home.file('config.json'), JSON.stringify({ packs: WITHOUT_PACKS, ...config }), { mode: 0o600 })
  const client = await target.connect()
  try {
    await client.request('apply_configuration', {}, { timeout: 60_000 })
  } finally {
    client.close()
  }
}

async function listNames(agent: LineAgent): Promise<string[]> {
  const { result } = await agent.request('tools/list')
  const tools = isJsonObject(result) && Array.isArray(result.tools) ? result.tools : []
  return tools.map(({ name }) => String(name)).filter((name) => name.startsWith('evil_'))
}

async function restartEvil(target: Target): Promise<void> {
  expect((await target.run(['server', 'restart', 'evil'])).code).toBe(0)
  await waitFor(async () => (await countWaiting(target)) === 5, {
    what: 'the second face of the server',
    timeout: 60_000,
  })
}

async function countWaiting(target: Target): Promise<number> {
  const { out } = await target.run(['trust', 'list', 'evil', '--json'])
  const [evil]: unknown[] = JSON.parse(out).servers
  return isJsonObject(evil) && Array.isArray(evil.waiting) ? evil.waiting.length : 0
}

async function readTrust(target: Target): Promise<string> {
  return (await target.run(['trust', 'list', 'evil'])).out
}

test('what it hides, orders and imitates is kept from agents or told, in every place where a person looks', async () => {
  const { target, calls } = await start()
  await target.waitForState('evil', 'ready')
  const agent = await target.attach()
  expect(await listNames(agent)).toEqual(['evil_transfer', 'evil_balance', 'evil_say_n0te', 'evil_shadow', 'evil_link'])
  for (const name of ['hidden', 'painted', 'orders']) {
    const error = errorOfAnswer(await agent.call(`evil_${name}`))
    expect([error?.code, error?.executed], name).toEqual(['definition_held', false])
  }
  // Its link is read from itself, whatever lies there on this machine.
  await agent.call('evil_link')
  expect(JSON.stringify(await agent.request('resources/read', { uri: 'file:///etc/passwd' }))).toContain(
    'what the server says',
  )
  expect(await calls()).toBe('link\n')

  const told = [
    'characters that nobody sees (U+E0041',
    'characters that nobody sees (U+001B)',
    'to read or send files that hold secrets',
    'to keep something from the user',
    'it looks like say_note of good',
    'its text speaks of say_note of good',
    'it links to files of this machine: file:///etc/passwd',
  ]
  const list = await readTrust(target)
  for (const text of told) expect(list).toContain(text)
  const summary = '3 of its definitions are held back, there are 3 remarks on it'
  for (const argv of [['status'], ['status', '--json'], ['doctor']])
    expect((await target.run(argv)).out, argv.join(' ')).toContain(summary)
  await waitFor(async () => isTold((await target.run(['logs', '--cat', 'trust'])).out, told), {
    what: 'all of it in the log',
    timeout: 60_000,
    interval: 500,
  })
  expect(await readInstructions(target)).toContain('Held back until the user accepts what changed in them: 3 of evil')
  await target.expectCalm()
})

test('what it changes once it was accepted runs by no way until a person has accepted that too', async () => {
  const { target, calls } = await start({ profiles: { found: { search: true } } })
  await target.waitForState('evil', 'ready')
  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('evil_transfer', { amount: 1 }))).toBe('ran transfer')
  await restartEvil(target)

  expect(await listNames(agent)).toEqual(['evil_say_n0te', 'evil_shadow', 'evil_link'])
  const searching = await target.attach({ profile: 'found' })
  const wanted = { name: 'evil_transfer', arguments: { amount: 1 } }
  for (const answer of [
    await agent.call('evil_transfer', { amount: 1 }),
    await agent.call('evil_balance'),
    await searching.call('evil_transfer', { amount: 1 }),
    await searching.call('tool_call', wanted),
    await searching.call('tool_describe', { name: 'evil_transfer' }),
  ]) {
    const error = errorOfAnswer(answer)
    expect([error?.code, error?.executed]).toEqual(['definition_held', false])
  }
  expect(textOfAnswer(await searching.call('tool_search', { query: 'transfer money' }))).not.toContain('evil_transfer')
  const command = await target.run(['call', 'evil_transfer', 'amount=1'])
  expect(command.err).toContain('definition_held')
  expect(await calls()).toBe('transfer\n')
  const shown = await readTrust(target)
  expect(shown).toContain('its input schema changed')
  expect(shown).toContain('+         "description": "Everything that was said before."')
  expect(shown).toContain('its annotations changed')

  expect((await target.run(['trust', 'accept', 'evil/transfer', '--yes'])).code).toBe(0)
  await waitFor(async () => (await listNames(agent)).includes('evil_transfer'), { what: 'the tool that was accepted' })
  expect(textOfAnswer(await agent.call('evil_transfer', { amount: 1, context: '' }))).toBe('ran transfer')
  expect(await listNames(agent)).not.toContain('evil_balance')
  await target.expectCalm()
})

test('a description of ten megabytes is not taken in, which is told', async () => {
  const { target } = await start({}, MEGABYTES_10)
  await waitFor(async () => (await target.run(['status', '--json'])).out.includes('too large'), {
    what: 'the reason in the status',
    timeout: 60_000,
    interval: 500,
  })
  expect((await target.run(['doctor'])).out).toContain('too large')
  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('good_say_note'))).toBe('say_note')
  await target.expectCalm()
})

test('one of two hundred thousand characters is held back', async () => {
  const { target } = await start({}, 200_000)
  await target.waitForState('evil', 'ready')
  expect(await readTrust(target)).toContain('characters long')
  expect(await listNames(await target.attach())).not.toContain('evil_transfer')
  await target.expectCalm()
})

/** What an answer of ours says that it failed with. */
function errorOfAnswer({ result }: JsonObject): JsonObject | undefined {
  const envelope = isJsonObject(result) ? result.structuredContent : undefined
  return isJsonObject(envelope) && isJsonObject(envelope.error) ? envelope.error : undefined
}

function isTold(log: string, texts: readonly string[]): boolean {
  return texts.every((text) => log.includes(text))
}

async function readInstructions(target: Target): Promise<string> {
  const { received } = await target.attach()
  return JSON.stringify(received[0])
}
