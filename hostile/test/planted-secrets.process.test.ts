/**
 * Secrets of twenty kinds and more, in every place where people put them: the environment, arguments and headers of servers,
 * addresses, the arguments of calls. A server that tells them all, one that cannot be reached, one that says them back in what
 * it refuses with. None of them is in anything that we write, serve or say.
 *
 * What an agent gets of a server is the server's own answer, unchanged; what we make of it (logs, traces, errors of ours) is not.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlanted, type Planted } from './support/planted.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const TELLING = fileURLToPath(new URL('support/telling-server.mjs', import.meta.url))

/** Each kind in places of its own: what leaked is told by what it is, and where it was planted. */
const inEnvironment = createPlanted()
const inDaemon = createPlanted()
const inArguments = createPlanted()
const inHeaders = createPlanted()
const inCalls = createPlanted()
const PLACES = { inEnvironment, inDaemon, inArguments, inHeaders, inCalls }

/** Says back what it was sent, in everything by which it refuses. */
let echo: Server

beforeAll(async () => {
  echo = createServer((request, response) => {
    const { headers, url } = request
    response
      .writeHead(500, { 'content-type': 'text/plain' })
      .end(`no: ${url} ${JSON.stringify(headers)} ${Object.values(headers).join(' ')}`)
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  echo.closeAllConnections()
  await new Promise((resolve) => echo.close(resolve))
})

const toObject = (all: readonly Planted[]): Record<string, string> =>
  Object.fromEntries(all.map(({ name, value }) => [name, value]))

const toOption = ({ name, value }: Planted): string => `--${name.toLowerCase().replaceAll('_', '-')}=${value}`

function createServers(): JsonObject {
  const { port } = echo.address() as AddressInfo
  const headers = Object.fromEntries(inHeaders.map(({ name, value }) => [`X-${name.replaceAll('_', '-')}`, value]))
  const [aws, secret] = inHeaders
  return {
    telling: {
      command: process.execPath,
      args: [TELLING, ...inArguments.map(toOption)],
      env: {
        ...toObject(inEnvironment),
        ...Object.fromEntries(inDaemon.map(({ name }) => [`FROM_${name}`, `\${${name}}`])),
        PLANTED: [...inEnvironment.map(({ name }) => name), ...inDaemon.map(({ name }) => `FROM_${name}`)].join(),
      },
    },
    broken: { command: '/bin/sh', args: ['-c', 'echo "$@" >&2; exit 1', 'sh', ...inArguments.map(toOption)] },
    missing: { command: 'no-such-program-anywhere', args: inArguments.map(toOption), env: toObject(inEnvironment) },
    refusing: { url: `http://127.0.0.1:${port}/mcp?api_key=${secret?.value}&token=${aws?.value}`, headers },
    misplaced: { url: `http://someone:${secret?.value}@127.0.0.1:1/mcp`, headers },
    unreachable: { url: `http://127.0.0.1:1/${aws?.value}/mcp?auth=${secret?.value}`, headers },
  }
}

test('secrets of twenty kinds and more are in no log, trace, metric, page or error', async () => {
  const target = await targets.start(
    { mcpServers: createServers() },
    { env: { ...toObject(inDaemon), LOG_LEVEL: 'debug' } },
  )
  await target.waitForState('telling', 'ready')
  const agent = await target.attach()
  const told = new Map<string, string>()
  const args = { ...toObject(inCalls), text: inCalls.map(({ name, value }) => `${name}=${value}`).join(' ') }
  await agent.call('telling_say', args)
  await agent.call('telling_say', { nested: [args] })
  // The server's own words to its caller; what is made of them elsewhere is looked at below.
  await agent.call('telling_refuse', args)
  told.set('the error of a server that left', JSON.stringify(await agent.call('telling_leave', args)))
  for (const tool of ['no_such_tool', 'broken_x', 'missing_x', 'refusing_x', 'unreachable_x', 'misplaced_x'])
    told.set(`the error of ${tool}`, JSON.stringify(await agent.call(tool, args)))
  for (const state of ['refusing', 'unreachable', 'misplaced', 'broken'])
    await waitFor(async () => (await find(target, state))?.reason, { what: `why ${state} is down`, timeout: 60_000 })
  for (const argv of COMMANDS) {
    const { out, err } = await target.run(argv, toObject(inDaemon))
    told.set(`switchboard ${argv.join(' ')}`, out + err)
  }
  told.set('/metrics', await (await fetch(`${target.url}/metrics`)).text())
  told.set('/readyz', await (await fetch(`${target.url}/readyz`)).text())
  for (const [where, text] of await askDashboard(target)) told.set(where, text)
  told.set('what the daemon writes', target.program.out() + target.program.err())
  for (const [file, text] of await readHome(target)) told.set(file, text)

  expect(findLeaks(told)).toEqual([])
  // It was looked at where they would be.
  for (const place of PROOFS)
    expect(
      [...told].some(([where, text]) => where.includes(place) && text.includes('[masked]')),
      place,
    ).toBe(true)
  expect(told.get('/metrics')).toContain('server="telling"')
  await target.expectCalm()
})

const COMMANDS = [
  ['status', '--json'],
  ['status'],
  ['doctor', '--json'],
  ['server', 'list', '--json'],
  ...['telling', 'broken', 'missing', 'refusing', 'unreachable', 'misplaced'].map((name) => [
    'server',
    'show',
    name,
    '--json',
  ]),
  ['server', 'show', 'telling'],
  ['server', 'logs', 'telling'],
  ['server', 'logs', 'broken'],
  ['logs', '--json'],
  ['trust', 'list', '--json'],
  ['tools', '--json'],
]

const PROOFS = [
  'server-telling',
  'server-broken',
  'server show telling',
  'server show refusing',
  'traces',
  'dashboard trace',
]

async function find(target: Target, server: string) {
  return (await target.status()).servers.find(({ name }) => name === server)
}

/** All files but the configuration itself, which is where they were put. */
async function readHome(target: Target): Promise<[string, string][]> {
  const names = await readdir(target.home.path, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'config.json')
  return Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, string]> => {
      const file = join(parentPath, name)
      // One that the daemon replaces just now is there again under its own name.
      return [file, (await readFile(file).catch(() => Buffer.alloc(0))).toString('latin1')]
    }),
  )
}

/** Everything that the page asks. */
async function askDashboard(target: Target): Promise<[string, string][]> {
  const client = await target.connect()
  const { url } = await client.request<{ url: string }>('dashboard_link', {}, { timeout: 60_000 })
  client.close()
  const post = async (method: string, body: object, session?: string): Promise<string> => {
    const authorization: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` }
    const headers = { 'content-type': 'application/json', ...authorization }
    const answer = await fetch(`${target.url}/dashboard/api/${method}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect([method, answer.status]).toEqual([method, 200])
    return answer.text()
  }
  const session = String(JSON.parse(await post('enter', { link: url.split('#enter=')[1] })).session)
  const calls = await post('calls', {}, session)
  const traces = [...new Set(Array.from(calls.matchAll(/"trace_id":"([0-9a-f]+)"/g), ([, id = '']) => id))]
  const asked: [string, object][] = [
    ['overview', {}],
    ['tools', {}],
    ['logs', { level: 'debug' }],
    ...['telling', 'broken', 'missing', 'refusing', 'unreachable', 'misplaced'].map((name): [string, object] => [
      'server',
      { name },
    ]),
    ...traces.map((id): [string, object] => ['trace', { id }]),
  ]
  const answers = asked.map(async ([method, body]): Promise<[string, string]> => {
    return [`dashboard ${method} ${JSON.stringify(body)}`, await post(method, body, session)]
  })
  return [['dashboard calls', calls + traces.length], ...(await Promise.all(answers))]
}

function findLeaks(told: ReadonlyMap<string, string>): string[] {
  const leaks: string[] = []
  for (const [place, planted] of Object.entries(PLACES)) {
    for (const { name, secret } of planted) {
      for (const [where, text] of told) if (text.includes(secret)) leaks.push(`${name} (${place}) in ${where}`)
    }
  }
  return leaks
}
