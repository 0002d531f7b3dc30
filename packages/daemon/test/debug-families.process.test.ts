/** Programs of every language with children and grandchildren: nothing of it is left, however the agent or the daemon goes. */

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isJsonObject } from '@switchboard/protocol'
import {
  createTemporaryDirectory,
  findByMarker,
  type PipedProgram,
  programCommand,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { spawnDaemon, startedDaemon } from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

const run = promisify(execFile)
const bench = useWorkbench()
const fixtures = fileURLToPath(new URL('../../packs/debug/test/fixtures/', import.meta.url))

interface Language {
  readonly program: string
  readonly build?: readonly [command: string, ...args: string[]]
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  node: { program: 'app.cjs' },
  typescript: { program: 'app.ts' },
  python: { program: 'app.py' },
  ruby: { program: 'app.rb' },
  cpp: { program: 'app', build: ['g++', '-g', '-O0', '-pthread', '-o', 'app', 'app.cpp'] },
  rust: { program: 'app', build: ['rustc', '-g', '--edition', '2021', '-o', 'app', 'app.rs'] },
  go: { program: 'app', build: ['go', 'build', '-gcflags=all=-N -l', '-o', 'app', '.'] },
}

/** One in the program's group, one with a session of its own, and one whose parent is gone from the beginning. */
const FAMILY_SIZE = 3
let time = ''
let workspace: TemporaryDirectory

beforeAll(async () => {
  workspace = await createTemporaryDirectory('switchboard-families-')
  await cp(fixtures, workspace.path, { recursive: true })
  for (const [language, { build }] of Object.entries(LANGUAGES)) {
    const [command, ...args] = build ?? []
    // Where the compiler is missing the program is missing, too, and is not started.
    if (command !== undefined) await run(command, args, { cwd: join(workspace.path, language) }).catch(() => undefined)
  }
}, 400_000)
afterAll(() => workspace.remove())
beforeEach(() => {
  time = `300.${Math.floor(Math.random() * 1e12)}`
})
afterEach(async () => {
  for (const { pid } of await findByMarker(time)) process.kill(pid, 'SIGKILL')
})

const sleeping = async (): Promise<number> =>
  (await findByMarker(time)).filter(({ command }) => command.startsWith('sleep')).length

async function startDaemonAndAgent(): Promise<{ daemon: PipedProgram; agent: SdkAgent }> {
  await bench.writeConfig({ packs: { debug: { enabled: true } } })
  const daemon = spawnDaemon(bench)
  await startedDaemon(daemon)
  const agent = await connectSdkAgent('v1', {
    transport: 'stdio',
    command: programCommand(['mcp', '--workspace', workspace.path], { home: bench.home.path }),
  })
  bench.defer(() => agent.close())
  return { daemon, agent }
}

/** All at once; those whose debugger this machine does not have are left out. */
async function startFamilies(agent: SdkAgent): Promise<void> {
  const script = `sleep ${time} & setsid sleep ${time} & (setsid sh -c 'sleep ${time} &'); wait`
  const answers = await Promise.all(
    Object.entries(LANGUAGES).map(([language, { program }]) =>
      agent.call('debug_start', {
        program: join(language, program),
        args: ['family', script],
        language,
        wait: false,
        timeoutMs: 60_000,
      }),
    ),
  )
  const started = answers.filter((answer) => answer.isError !== true)
  const refused = answers.flatMap((answer) => (answer.isError === true ? [codeOf(answer)] : []))
  expect(refused.filter((code) => code !== 'E_ADAPTER_MISSING' && code !== 'E_FILE_NOT_FOUND')).toEqual([])
  expect(started.length).toBeGreaterThanOrEqual(2)
  await waitFor(async () => (await sleeping()) === started.length * FAMILY_SIZE, { timeout: 60_000 })
}

function codeOf({ structuredContent }: { structuredContent?: unknown }): unknown {
  const error = isJsonObject(structuredContent) ? structuredContent.error : undefined
  return isJsonObject(error) ? error.code : JSON.stringify(structuredContent)
}

// Sessions of their own are made by `setsid`, which other systems do not have.
describe.runIf(process.platform === 'linux')('of all that debugged programs have started', { timeout: 180_000 }, () => {
  const expectNoneLeft = () => waitFor(async () => (await findByMarker(time)).length === 0, { timeout: 30_000 })

  test('nothing is left when the agent closes its connection', async () => {
    const { agent } = await startDaemonAndAgent()
    await startFamilies(agent)
    await agent.close()
    await expectNoneLeft()
  })

  test('nothing is left when the daemon is killed', async () => {
    const { agent, daemon } = await startDaemonAndAgent()
    await startFamilies(agent)
    daemon.child.kill('SIGKILL')
    await daemon.ended
    await expectNoneLeft()
    // The front has started another in its place, or is about to.
    await agent.close()
    const isDown = async (): Promise<boolean> => {
      await bench.program(['down']).ended
      return (await findByMarker(bench.home.path)).length === 0
    }
    await waitFor(isDown, { timeout: 60_000 })
  })

  test('nothing is left when the daemon is told to go down', async () => {
    const { agent, daemon } = await startDaemonAndAgent()
    await startFamilies(agent)
    const down = bench.program(['down'])
    await down.ended
    await daemon.ended
    await expectNoneLeft()
  })
})
