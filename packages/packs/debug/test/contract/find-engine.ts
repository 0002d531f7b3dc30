import { spawn } from 'node:child_process'
import { OrphanGuard } from '@switchboard/process'
import { createDapEngines } from '../../src/dap/engines.ts'
import { createNodeEngine } from '../../src/inspector/node-engine.ts'
import type { DebugEngine } from '../../src/session/debug-session.ts'

const guard = new OrphanGuard()
const engines = [createNodeEngine({ guard }), ...createDapEngines({ guard })]

export function findEngine(name: string): DebugEngine {
  const engine = engines.find((candidate) => candidate.name === name)
  if (engine === undefined) throw new Error(`no engine is called ${name}`)
  return engine
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
