/** Servers that say at random what no server should, on every way; and callers that do so on the daemon's own socket. */
import { connect } from 'node:net'
import { createSeededRandom, fixtureCommand, type LineAgent, textOfAnswer } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { CARRIERS, rawServer } from './support/raw-carriers.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const SEED = 20_261_116
const CALLS = 60
const LINES = 2_000

test('whatever servers send, every call is answered and nobody else notices', async () => {
  const names = CARRIERS.map((carrier) => carrier.replace(' ', '-'))
  const entries = await Promise.all(
    CARRIERS.map((carrier, index) => rawServer(`fuzz ${SEED + index}`, carrier, { timeout: '1s' })),
  )
  const evil = Object.fromEntries(entries.map((entry, index) => [names[index], entry]))
  const target = await targets.start({ mcpServers: { ...evil, good: fixtureCommand({}) } })
  await Promise.all(['good', ...names].map((name) => target.waitForState(name, 'ready')))
  const agents = await Promise.all(names.map(() => attachAble(target)))
  // What is loaded at the first use of each kind of server is loaded once.
  await Promise.all(names.map((name, index) => callOften(name, agents[index], 10)))
  await target.watchFromNow()
  await Promise.all(names.map((name, index) => callOften(name, agents[index], CALLS)))
  const last = await target.attach()
  expect(textOfAnswer(await last.call('good_echo', { text: 'still here' }))).toBe('still here')
  await target.expectCalm()
  expect((await target.run(['logs', '--source', 'daemon', '--grep', '.bug'])).out).not.toContain('.bug')
})

test('whatever is said to the socket, the daemon answers or hangs up, and goes on', async () => {
  const target = await targets.start({ mcpServers: { good: fixtureCommand({}) } })
  await target.waitForState('good', 'ready')
  const { endpoint } = (await target.status()).daemon
  const random = createSeededRandom(SEED)
  for (let sent = 0; sent < LINES; sent += 100) await sayNonsense(endpoint, createLines(random, 100))
  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still here' }))).toBe('still here')
  await target.expectCalm()
})

/** One that can be asked everything, and answers with as much sense. */
async function attachAble(target: Target): Promise<LineAgent> {
  const agent = await target.attach()
  const answering = setInterval(() => {
    for (const { id, method } of agent.received.splice(0))
      if (typeof method === 'string' && id !== undefined) agent.send({ id, result: { roots: [], action: 'accept' } })
  }, 20)
  answering.unref()
  return agent
}

async function callOften(name: string, agent: LineAgent | undefined, calls: number): Promise<void> {
  for (let count = 0; count < calls; count++) {
    const requests = [
      ['tools/call', { name: `${name}_x`, arguments: {}, _meta: { progressToken: count } }],
      ['resources/read', { uri: 'f:a' }],
      ['prompts/get', { name: `${name}_p` }],
      ['tools/list', {}],
    ] as const
    const [method, params] = requests[count % 16 === 15 ? 3 : count % 3] ?? requests[0]
    const answer = await agent?.request(method, params)
    expect(Object.keys(answer ?? {}), method).toContain('jsonrpc')
    // Whatever a server does is its fault, and told as such.
    expect(JSON.stringify(answer)).not.toContain('"code":"internal"')
  }
}

function createLines(random: ReturnType<typeof createSeededRandom>, count: number): string[] {
  const values = [
    'null',
    '{}',
    '[]',
    '"x"',
    '-1',
    '1e999',
    '{"server":{}}',
    '{"name":"__proto__"}',
    '"\\ud800"',
    '[[[{}]]]',
  ]
  const methods = [
    'status',
    'health',
    'tools',
    'call',
    'restart',
    'subscribe',
    'await_idle',
    'attach',
    'logs',
    '__proto__',
    '',
  ]
  return Array.from({ length: count }, () => {
    const value = random.pick(values)
    const members = [
      'server',
      'tool',
      'name',
      'instance',
      'profile',
      'protocol',
      'role',
      'timeout',
      'arguments',
      'limit',
    ]
    const params = random.below(2) === 0 ? value : `{${JSON.stringify(random.pick(members))}:${value}}`
    const line = `{"jsonrpc":"2.0","id":${random.below(1_000)},"method":${JSON.stringify(random.pick(methods))},"params":${params},"inst":${value}}`
    switch (random.below(6)) {
      case 0:
        return line.slice(0, random.below(line.length))
      case 1:
        return `${'['.repeat(random.below(20_000))}`
      case 2:
        return `{"jsonrpc":"2.0","id":1,"method":"status","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`
      default:
        return line
    }
  })
}

/** Resolves when the daemon has answered a question that comes last, or hung up. */
async function sayNonsense(endpoint: string, lines: readonly string[]): Promise<void> {
  const socket = connect(endpoint)
  socket.on('error', () => {})
  const over = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('"id":"last"')) resolve()
    })
  })
  // What stops or changes the daemon is not among them; `attach` takes the rest of the line for a conversation.
  socket.write(`${lines.join('\n')}\n{"jsonrpc":"2.0","id":"last","method":"ping"}\n`)
  await over
  socket.destroy()
}
