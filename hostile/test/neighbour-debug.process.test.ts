/** Another user of the same machine, beside a person whose agent debugs programs: it can neither take them over nor stop that. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findByMarker, waitFor, watchProgram } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useTargets } from './support/target.ts'

const NOBODY = 65_534
const canBeAnother = process.platform === 'linux' && process.getuid?.() === 0
const reason = canBeAnother ? '' : ' (needs Linux and root, to run a program as another user)'
const NEIGHBOUR = await readFile(fileURLToPath(new URL('support/debug-neighbour.mjs', import.meta.url)), 'utf8')
const run = promisify(execFile)

const targets = useTargets()

/** Its processes are found by its name. */
const FAMILY = `family-${process.pid}-${Date.now()}.cjs`
/** A child process, a child of that, and a thread: all of them are debugged. */
const PROGRAM = `
const { fork } = require('node:child_process')
const { Worker } = require('node:worker_threads')
const depth = Number(process.argv[2] ?? 0)
if (depth < 2) fork(__filename, [String(depth + 1)], { stdio: 'inherit' })
else new Worker('setInterval(() => {}, 1000)', { eval: true })
setInterval(() => {}, 1000)
console.log('depth ' + depth)
`

interface Haul {
  readonly uid: number
  /** By port: the uid of the program that code was run in. */
  readonly taken: Readonly<Record<string, number>>
}

async function asNeighbour(ports: readonly number[]): Promise<Haul> {
  const args = ['--input-type=module', '-e', NEIGHBOUR, '--', ...ports.map(String)]
  const { stdout } = await run(process.execPath, args, { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} })
  return JSON.parse(stdout) as Haul
}

/** Where these processes listen, which every user of the machine can see. */
function listPorts(pids: readonly number[]): number[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
        } catch {
          return []
        }
      }),
    ),
  )
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16))
}

describe.skipIf(!canBeAnother)(`another user of this machine${reason}`, () => {
  test('takes over a program with an inspector as Node opens it, which shows that it knows how', async () => {
    const args = ['--inspect=127.0.0.1:0', '-e', 'setInterval(() => {}, 1000); console.log("up")']
    const program = watchProgram(spawn(process.execPath, args))
    onTestFinished(() => void program.child.kill('SIGKILL'))
    await program.waitForText('up')
    const [port = 0] = listPorts([program.pid])
    expect(await asNeighbour([port])).toEqual({ uid: NOBODY, taken: { [port]: 0 } })
  })

  test('takes over no program that an agent debugs, nor the processes and threads below it', async () => {
    const target = await targets.start({ packs: { debug: { enabled: true } } })
    const workspace = target.home.file('workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, FAMILY), PROGRAM)
    const agent = await target.attach({ workspace })
    const answer = await agent.call('debug_start', { program: FAMILY, language: 'node', wait: false })
    expect(JSON.stringify(answer)).toContain('running')
    const find = async () => (await findByMarker(FAMILY)).map(({ pid }) => pid)
    await waitFor(async () => (await find()).length === 3, { what: 'all processes of the program', timeout: 60_000 })
    const ports = await waitFor(async () => {
      const found = listPorts(await find())
      return found.length === 3 ? found : undefined
    })
    expect(await asNeighbour(ports)).toEqual({ uid: NOBODY, taken: {} })
    await agent.call('debug_stop', {})
    await target.expectCalm()
  })

  test('loses nothing in the folder that all share, and stops no debugger with pipes there', async () => {
    const target = await targets.start({ packs: { debug: { enabled: true } } })
    const workspace = target.home.file('workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'short.cjs'), 'const answer = 6 * 7\nconsole.log(answer)\n')
    const agent = await target.attach({ workspace })
    const debug = async () => {
      const answer = await agent.call('debug_start', { program: 'short.cjs', language: 'node', timeoutMs: 30_000 })
      expect(JSON.stringify(answer)).toContain('42')
    }
    // As one of ours looks whose owner is gone.
    const foreign = await makeForeignFolder((file) => writeFileSync(file, String(NEVER_A_PID)))
    await debug()
    // Node reads files with four threads: one of them waits at a pipe for ever.
    await makeForeignFolder((file) => run('mkfifo', [file]))
    for (let turn = 0; turn < 6; turn++) await debug()
    expect(readdirSync(foreign)).toEqual(['open'])
    await target.expectCalm()
  })
})

/** Above the largest that Linux gives. */
const NEVER_A_PID = 2 ** 30

async function makeForeignFolder(fill: (file: string) => unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-node-debug-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await fill(join(folder, 'open'))
  await run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
  return folder
}
