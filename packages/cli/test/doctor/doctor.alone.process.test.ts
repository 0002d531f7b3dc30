/**
 * The doctor beside a real daemon, and beside what a killed one leaves. Alone, because `--fix` ends what any daemon on this
 * machine left behind, another test's too.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { OWNER_VARIABLE } from '@switchboard/process'
import { fixtureCommand, waitFor, watchProgram } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { Patient } from './patient.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Resolves when it answers. */
async function startDaemon(patient: Patient): Promise<ChildProcess> {
  const argv = ['--conditions=switchboard-source', MAIN, 'daemon', '--home', patient.home.path]
  const env = { ...process.env, HOME: patient.user(), SWITCHBOARD_HTTP_PORT: '0' }
  const child = spawn(process.execPath, argv, { env, stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  await waitFor(async () => (await patient.visit()).of('daemon')[0]?.startsWith('ok runs'), { timeout: 30_000 })
  return child
}

test('tells what the daemon knows: itself, its address, servers that are down and why', async () => {
  const patient = await Patient.create({
    mcpServers: {
      well: fixtureCommand({}),
      missing: { command: 'no-such-program', install: 'pipx install it' },
      broken: { command: process.execPath, args: ['-e', 'console.error("no database"); process.exit(3)'] },
    },
  })
  await startDaemon(patient)
  const { of } = await patient.visit()
  expect(of('daemon')).toEqual([expect.stringMatching(/^ok runs: pid <pid>, version \S+, up for /)])
  expect(of('http')).toEqual([expect.stringMatching(/^ok agents connect to http:\/\/127\.0\.0\.1:\d+\/mcp$/)])
  const later = await waitFor(async () => {
    const visit = await patient.visit()
    return visit.of('servers').length === 2 && visit
  })
  const told = later.of('servers').join('\n')
  expect(told).toMatch(/error missing is not installed: .+"no-such-program" was not found/)
  expect(told).toMatch(/(error broken is down|warn broken is being started again): /)
  expect(later.findings.find(({ message }) => message.startsWith('missing'))?.cure).toBe('pipx install it')
  expect(later.code).toBe(1)
})

test('a configuration that was broken meanwhile is told, and that the daemon goes on', async () => {
  const patient = await Patient.create({ mcpServers: {} })
  await startDaemon(patient)
  await writeFile(patient.home.configFile, '{ "mcpServers": ')
  const { findings, code } = await patient.visit()
  const [wrong] = findings.filter(({ check }) => check === 'configuration')
  expect(wrong).toMatchObject({ level: 'error', cure: expect.stringContaining('goes on with the one before') })
  expect(code).toBe(1)
})

test('it looks for duplicates at the address that the daemon has, not at the one of the file', async () => {
  const patient = await Patient.create({ mcpServers: {} })
  await startDaemon(patient)
  const [told = ''] = (await patient.visit()).of('http')
  const [, url] = /(http:\S+)$/.exec(told) ?? []
  const front = { command: 'switchboard', args: ['mcp'] }
  await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { a: front, b: { url } } })
  // The port of the file leads to nobody.
  await patient.write(patient.user('.codeium', 'windsurf', 'mcp_config.json'), {
    mcpServers: { a: front, b: { serverUrl: 'http://127.0.0.1:19877/mcp' } },
  })
  expect((await patient.visit()).of('duplicates')).toEqual([
    expect.stringMatching(/^error "b" in .+\.cursor.mcp\.json/),
  ])
})

test('what counts is the environment of the daemon, not that of the doctor', async () => {
  const unset = '$' + '{SWITCHBOARD_TEST_NOT_SET}'
  const entry = { ...fixtureCommand({}), env: { T: unset } }
  const patient = await Patient.create({ mcpServers: { v: entry } })
  await startDaemon(patient)
  const env = { SWITCHBOARD_TEST_NOT_SET: 'set for the doctor' }
  const { of, code } = await patient.visit([], { env })
  expect(of('servers')).toEqual([
    expect.stringMatching(/^error v is misconfigured: .*SWITCHBOARD_TEST_NOT_SET is not set/),
  ])
  expect(code).toBe(1)
})

test('a daemon that holds its lock and does not answer is an error, and none of its files is touched', async () => {
  const patient = await Patient.create({ mcpServers: {} })
  const daemon = await startDaemon(patient)
  daemon.kill('SIGSTOP')
  const { of, code } = await patient.visit(['--fix'])
  expect(of('daemon')).toEqual([expect.stringMatching(/^error holds its lock \(pid <pid>\) but does not answer: /)])
  expect(code).toBe(1)
  expect(await patient.list(patient.home.file('run'))).toEqual(expect.arrayContaining(['daemon.json', 'daemon.sock']))
  daemon.kill('SIGCONT')
  await waitFor(async () => (await patient.visit()).of('daemon')[0]?.startsWith('ok runs'), { timeout: 30_000 })
})

test('what a killed daemon leaves is found and cleared away', async () => {
  const patient = await Patient.create({ mcpServers: {} })
  const daemon = await startDaemon(patient)
  daemon.kill('SIGKILL')
  await once(daemon, 'exit')
  expect((await patient.visit()).of('daemon').filter((line) => line.startsWith('warn'))).toHaveLength(2)
  expect((await patient.visit(['--fix'])).code).toBe(0)
  expect((await patient.visit()).of('daemon')).toEqual(['ok does not run; it is started when an agent needs it'])
})

test('a server that was left behind is named, and ended with --fix', async () => {
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  // Deaf to the polite way.
  const code = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")'
  const env = { PATH: process.env.PATH, [OWNER_VARIABLE]: `${gone.pid}:${Date.now()}` }
  const left = spawn(process.execPath, ['-e', code], { detached: true, env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void left.kill('SIGKILL'))
  await watchProgram(left).waitForText('up')
  const patient = await Patient.create()
  const message = `process ${left.pid} was left behind by Switchboard ${gone.pid}, which is gone`
  expect((await patient.visit()).of('processes').join('\n')).toContain(message)
  expect(left.exitCode).toBeNull()
  const ended = once(left, 'exit')
  const { findings } = await patient.visit(['--fix'])
  await ended
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'processes', fixed: true, message: `process ${left.pid} is gone` }),
  )
})
