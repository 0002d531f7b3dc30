/** Callers, and servers, that use up the files which the daemon may have open. Running out of them is a state, not an end. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { fixtureCommand, textOfAnswer, waitFor } from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { expect, test } from 'vitest'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const CONNECTIONS = 120

test('120 connections that say nothing: a server that dies is started again, others are served, and it is told', async () => {
  const target = await targets.start({ mcpServers: { a: fixtureCommand({}), b: fixtureCommand({}) } }, { files: 64 })
  await target.waitForState('a', 'ready')
  await target.waitForState('b', 'ready')
  const agent = await target.attach()
  const sockets = await openIdle(Number(new URL(target.url).port))
  await killServer(target, 'a')
  await waitFor(() => isRestarted(target, 'a'), { what: 'a restart', timeout: 60_000 })
  await target.waitForState('a', 'ready')
  // To start a process is one call of the system, which on a busy machine takes as long as the process waits for its turn.
  await target.watchFromNow()
  expect(textOfAnswer(await agent.call('a_echo', { text: 'again' }))).toBe('again')
  expect(textOfAnswer(await agent.call('b_echo', { text: 'still' }))).toBe('still')
  await target.expectCalm()

  const { connections } = (await target.status()).daemon
  expect(connections).toMatchObject({ file_limit: 64 })
  expect(connections.http.refused).toBeGreaterThan(CONNECTIONS / 2)
  const { out } = await target.run(['doctor'])
  expect(out).toContain('connections were refused')
  expect((await target.run(['status'])).out).toContain('connections were refused')
  await waitFor(async () => (await readLog(target)).includes('gateway.connections'), { what: 'a line in the log' })

  for (const socket of sockets) socket.destroy()
  await waitFor(
    () =>
      fetch(`${target.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { what: 'HTTP to answer again' },
  )
  await target.expectCalm()
})

test('connections to the socket are bounded in the same way', async () => {
  const target = await targets.start({ mcpServers: { a: fixtureCommand({}) } }, { files: 64 })
  await target.waitForState('a', 'ready')
  const { endpoint } = (await target.status()).daemon
  const sockets = await openIdle(endpoint)
  await killServerByName(target)
  for (const socket of sockets) socket.destroy()
  await waitFor(() => isRestarted(target, 'a'), { what: 'a restart', timeout: 60_000 })
  await target.waitForState('a', 'ready')
  await target.watchFromNow()
  expect((await target.status()).daemon.connections.socket.refused).toBeGreaterThan(0)
  await target.expectCalm()
})

test('more servers than there are files for: those wait with the reason, and start when there is room', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `s${index}`)
  const all = Object.fromEntries(names.map((name) => [name, fixtureCommand({})]))
  const target = await targets.start({ mcpServers: all }, { files: 64 })
  const isTold = async () =>
    (await target.status()).servers.some(({ state, reason }) => state !== 'ready' && /files?\b/.test(reason ?? ''))
  await waitFor(isTold, { what: 'a server that could not be started for want of files', timeout: 60_000 })
  const config = {
    packs: WITHOUT_PACKS,
    mcpServers: { s10: all.s10, s11: all.s11 },
  }
  await writeFile(target.home.file('config.json'), JSON.stringify(config))
  await target.waitForState('s10', 'ready')
  await target.waitForState('s11', 'ready')
  await target.watchFromNow()
  await target.expectCalm()
})

async function openIdle(where: number | string): Promise<Socket[]> {
  const opened = Array.from({ length: CONNECTIONS }, async () => {
    const socket = typeof where === 'number' ? connect(where, '127.0.0.1') : connect(where)
    socket.on('error', () => {})
    await new Promise((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', resolve)
    })
    return socket
  })
  return Promise.all(opened)
}

async function findServer(target: Target, server: string) {
  return (await target.status()).servers.find(({ name }) => name === server)
}

/** Once or, where an attempt had no file left, more often. */
async function isRestarted(target: Target, server: string): Promise<boolean> {
  return ((await findServer(target, server))?.restarts ?? 0) > 0
}

async function killServer(target: Target, server: string): Promise<void> {
  process.kill((await findServer(target, server))?.pid ?? 0, 'SIGKILL')
}

/** Found without the daemon, which has no connection left for us. */
async function killServerByName(target: Target): Promise<void> {
  const tasks = await readFile(`/proc/${target.pid}/task/${target.pid}/children`, 'utf8')
  for (const pid of tasks.trim().split(' ')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('fixture')) process.kill(Number(pid), 'SIGKILL')
  }
}

async function readLog(target: Target): Promise<string> {
  const folder = target.home.file('logs')
  const names = (await readdir(folder)).filter((name) => name.startsWith('daemon'))
  return (await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8')))).join('')
}
