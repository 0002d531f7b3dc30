/** Callers whose arguments, and servers whose schemas, take long to judge. Nobody else waits for that. */
import type { JsonObject } from '@switchboard/protocol'
import { fixtureCommand, type LineAgent, textOfAnswer } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { useTargets } from './support/target.ts'

const targets = useTargets()

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index)
const tool = (name: string, inputSchema: JsonObject) => ({ name, inputSchema: { type: 'object', ...inputSchema } })

/** Each definition asks twice for the next one. */
function doubleUp(steps: number): JsonObject {
  const next = (step: number): JsonObject => ({ $ref: `#/$defs/s${step + 1}` })
  const $defs = Object.fromEntries(numbers(steps).map((step) => [`s${step}`, { allOf: [next(step), next(step)] }]))
  return { $ref: '#/$defs/s0', $defs: { ...$defs, [`s${steps}`]: {} } }
}

const TOOLS = [
  tool('pattern', { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }),
  tool('names', { patternProperties: { '^(a|a)+$': {} } }),
  tool('unique', { properties: { a: { type: 'array', uniqueItems: true } } }),
  tool('doubling', doubleUp(40)),
  tool('choices', { anyOf: numbers(1_000).map((number) => ({ required: [`a${number}`] })) }),
  tool('plain', { properties: { a: { type: 'string', pattern: '^[a-z]+$' } } }),
]

/** Asks without a break until told to stop; resolves with how often it was answered. */
function keepAsking(agent: LineAgent, signal: AbortSignal): Promise<number> {
  const ask = async (count: number): Promise<number> => {
    if (signal.aborted) return count
    expect(textOfAnswer(await agent.call('good_echo', { text: `${count}` }))).toBe(`${count}`)
    return ask(count + 1)
  }
  return ask(0)
}

test('arguments and schemas that take for ever are given up, and others are served meanwhile', async () => {
  const target = await targets.start({
    mcpServers: { evil: fixtureCommand({ tools: TOOLS }), good: fixtureCommand({}) },
  })
  await target.waitForState('evil', 'ready')
  await target.waitForState('good', 'ready')
  const [attacker, victim] = [await target.attach(), await target.attach()]
  // Loading what checks arguments at all is the price of the first call that is checked.
  for (const agent of [attacker, victim]) await agent.call('evil_plain', { a: 'warm' })
  await target.watchFromNow()

  const over = new AbortController()
  const served = keepAsking(victim, over.signal)
  const letters = `${'a'.repeat(40)}!`
  const attacks: readonly [tool: string, args: JsonObject, said: string][] = [
    ['evil_pattern', { a: letters }, '[check_timeout] evil (pattern)'],
    ['evil_names', { [letters]: 1 }, '[check_timeout] evil (names)'],
    ['evil_unique', { a: numbers(40_000).map((id) => ({ id })) }, 'costly in it: uniqueItems'],
    ['evil_doubling', {}, '[check_timeout] evil (doubling)'],
  ]
  const refused = attacks.map(async ([name, args, said]) => {
    expect(textOfAnswer(await attacker.call(name, args)), name).toContain(said)
  })
  // The caller of another tool whose check is costly waits for its turn, not for all of the attacker's.
  const fair = victim.call('evil_pattern', { a: 'aaa' }).then(textOfAnswer)
  expect(await fair).toBe('pattern')
  expect(textOfAnswer(await attacker.call('evil_choices', { a7: 1 }))).toBe('choices')
  await Promise.all(refused)
  over.abort()
  expect(await served).toBeGreaterThan(10)
  await target.expectCalm()
})

test('long names and deep paths are judged in no time', async () => {
  const target = await targets.start({
    modes: { work: { description: 'Writes', writable: [`\${workspace}`] } },
    mcpServers: { good: fixtureCommand({}) },
  })
  await target.waitForState('good', 'ready')
  const agent = await target.attach({ workspace: target.home.path })
  await agent.call('mode_get_instructions', { mode: 'work' })
  await agent.call('good_echo', { text: 'warm' })
  await target.watchFromNow()

  const name = `${'1'.repeat(200_000)}x`
  expect(textOfAnswer(await agent.call('good_echo', { text: 'long', [name]: 'x' }))).toBe('long')
  const deep = numbers(900).map((index) => `${target.home.path}/${`x${index}/`.repeat(500)}../y`)
  expect(textOfAnswer(await agent.call('good_echo', { text: 'deep', paths: deep }))).toContain('[mode_denied]')
  const long = `/${'a/'.repeat(500_000)}`
  expect(textOfAnswer(await agent.call('good_echo', { text: 'long', path: long }))).toContain('[mode_denied]')
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still', path: target.home.path }))).toBe('still')
  await target.expectCalm()
})
