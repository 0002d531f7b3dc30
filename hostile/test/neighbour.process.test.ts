/** Another user of the same machine: reaches the port, and is not the person whose servers and programs are behind it. */
import { spawn } from 'node:child_process'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fixtureCommand, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { INITIALIZE, JSON_HEADERS, modernCall } from './support/requests.ts'
import { type Target, useTargets } from './support/target.ts'

const NOBODY = 65_534
const canBeAnother = process.platform === 'linux' && process.getuid?.() === 0
const reason = canBeAnother ? '' : ' (needs Linux and root, to run a program as another user)'
const NEIGHBOUR = await readFile(fileURLToPath(new URL('support/neighbour.mjs', import.meta.url)), 'utf8')

interface Try {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sends and goes away without waiting. */
  readonly leave?: 'close' | 'reset' | 'half'
  readonly times?: number
}

interface Got {
  readonly status: number
  readonly text: string
}

/** What another user gets for each of its tries. */
async function asNeighbour(url: string, tries: readonly Try[]): Promise<Got[]> {
  const args = ['--input-type=module', '-e', NEIGHBOUR, '--', url, ...tries.map((one) => JSON.stringify(one))]
  const child = spawn(process.execPath, args, { uid: NOBODY, gid: NOBODY, cwd: '/', env: {}, stdio: 'pipe' })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line || '{}') as Got & { uid?: number })
  expect(lines.pop(), err).toEqual({ uid: NOBODY })
  return lines
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

const targets = useTargets()

async function startWithJournal(): Promise<{ target: Target; journal: () => Promise<string> }> {
  const target = await targets.start({})
  const file = target.home.file('fx.journal')
  const config = { packs: { debug: { enabled: true } }, mcpServers: { fx: fixtureCommand({ journal: file }) } }
  await writeFile(target.home.file('config.json'), JSON.stringify(config))
  await waitFor(async () => (await target.status()).servers.length === 1, { what: 'the server to be configured' })
  await target.waitForState('fx', 'ready')
  return { target, journal: () => readFile(file, 'utf8') }
}

describe.skipIf(!canBeAnother)(`another user of this machine${reason}`, () => {
  test('gets in by no route without a token, is told why, and runs nothing', async () => {
    const { target, journal } = await startWithJournal()
    const answers = await asNeighbour(target.url, [
      { method: 'POST', path: '/mcp', headers: JSON_HEADERS, body: INITIALIZE },
      { method: 'POST', path: '/mcp/default', headers: JSON_HEADERS, body: INITIALIZE },
      { path: '/sse' },
      { path: '/sse/default' },
      { method: 'POST', path: '/messages?sessionId=x', headers: JSON_HEADERS, body: INITIALIZE },
      { path: '/ws', headers: UPGRADE },
      { path: '/metrics' },
      { path: '/readyz' },
      { method: 'HEAD', path: '/readyz' },
      modernCall('fx_echo', { text: 'of a neighbour' }),
      modernCall('debug_start', { program: '/tmp/theirs.mjs' }),
      // What a proxy would say of itself opens nothing either.
      { path: '/readyz', headers: { 'x-forwarded-for': '127.0.0.1' } },
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
    for (const { text } of answers) expect(text).not.toMatch(/\bfx\b/)
    const report = JSON.parse(answers[0]?.text ?? '{}').error.data.error
    expect(report).toMatchObject({ code: 'unauthorized', executed: false })
    expect(report.hint).toContain('switchboard token create')
    expect(report.message).toContain('user')
    const [health] = await asNeighbour(target.url, [{ path: '/healthz' }])
    expect(JSON.parse(health?.text ?? '')).toEqual({ status: 'ok' })
    expect(await journal()).not.toContain('of a neighbour')
    await target.expectCalm()
  })

  test('is not taken for root by leaving its socket behind', async () => {
    const { target, journal } = await startWithJournal()
    const call = modernCall('fx_echo', { text: 'of a neighbour' })
    await asNeighbour(
      target.url,
      (['close', 'reset', 'half'] as const).map((leave) => ({ ...call, leave, times: 40 })),
    )
    // Whatever came in before this has been decided when it is answered.
    const own = await fetch(target.mcp, { method: 'POST', headers: call.headers, body: call.body })
    expect(own.status).toBe(200)
    await waitFor(async () => (await journal()).includes('of a neighbour'), { what: 'the own call to arrive' })
    expect((await journal()).match(/of a neighbour/g)).toHaveLength(1)
    await target.expectCalm()
  })

  test('does not write what is run here, also where the home was made for all to write', async () => {
    const target = await targets.start({}, { modes: { home: 0o777, config: 0o666 } })
    const config = target.home.file('config.json')
    const before = await readFile(config, 'utf8')
    for (const command of [`echo > ${config}`, `mv ${config} ${config}.old`, `cp /dev/null ${config}.new`]) {
      const child = spawn('/bin/sh', ['-c', command], { uid: NOBODY, gid: NOBODY, cwd: '/', stdio: 'ignore' })
      expect(await new Promise((resolve) => child.on('close', resolve)), command).not.toBe(0)
    }
    expect(await readFile(config, 'utf8')).toBe(before)
    const modes = await Promise.all([target.home.path, config].map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o755, 0o644])
    expect((await target.run(['logs', '--source', 'daemon', '--grep', 'daemon.home'])).out).toContain('taken away')
    await chmod(target.home.path, 0o700)
    await target.expectCalm()
  })

  test('gets in with a token that the person gave it', async () => {
    const { target } = await startWithJournal()
    const created = await target.run(['token', 'create', 'neighbour'])
    expect(created.code).toBe(0)
    const call = modernCall('fx_echo', { text: 'of a friend' })
    const headers = { ...call.headers, authorization: `Bearer ${created.out.trim()}` }
    const [answer] = await asNeighbour(target.url, [{ ...call, headers }])
    expect(answer?.status).toBe(200)
    expect(answer?.text).toContain('of a friend')
  })
})
