import { createDapEngines } from '../../src/dap/engines.ts'
import type { DebugEngine } from '../../src/session/debug-session.ts'

const engines = createDapEngines()

export function findEngine(name: string): DebugEngine {
  const engine = engines.find((candidate) => candidate.name === name)
  if (engine === undefined) throw new Error(`no engine is called ${name}`)
  return engine
}
