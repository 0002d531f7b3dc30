import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrphanGuard } from '@switchboard/process'
import { createDapEngines } from '../../src/dap/engines.ts'
import type { DebugEngine } from '../../src/engine/debug-session.ts'
import { createNodeEngine } from '../../src/inspector/node-engine.ts'
import type { WindowAccess } from '../../src/window/window-connection.ts'
import { createWindowEngine } from '../../src/window/window-engine.ts'

const guard = new OrphanGuard()
/** As in a home: what the debuggers keep for their next start is part of what is tested. Our children use the same. */
const cacheFolder = process.env.SWITCHBOARD_TEST_ENGINES ?? join(tmpdir(), `switchboard-engines-${randomUUID()}`)
process.env.SWITCHBOARD_TEST_ENGINES = cacheFolder
const engines = [createNodeEngine({ guard }), ...createDapEngines({ guard, cacheFolder })]

/** For our children: the window of VS Code whose debugger is meant. */
const WINDOW = 'SWITCHBOARD_TEST_WINDOW'

export function findEngine(name: string): DebugEngine {
  const engine = engines.find((candidate) => candidate.name === name)
  if (engine === undefined) throw new Error(`no engine is called ${name}`)
  const window = process.env[WINDOW]
  return window === undefined ? engine : createWindowEngine(engine, JSON.parse(window))
}

/** The same engine through VS Code, once the window is there. */
export function findWindowEngine(name: string, access: () => WindowAccess): DebugEngine {
  const engine = findEngine(name)
  const through = (): DebugEngine => createWindowEngine(engine, access())
  return { ...engine, start: (request, context) => through().start(request, context) }
}

export function windowEnvironment(access: WindowAccess): Record<string, string> {
  return { [WINDOW]: JSON.stringify(access) }
}

export async function removeEngineCache(): Promise<void> {
  await rm(cacheFolder, { recursive: true, force: true, maxRetries: 5 })
}

/** The guard is one process for all sessions: it must be there before leaked processes are counted. */
export async function startGuard(): Promise<void> {
  const child = spawn(process.execPath, ['-e', ''], { detached: true, stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  if (child.pid === undefined) throw new Error('node does not start')
  guard.add(child.pid)
  await exited
  guard.remove(child.pid)
}
