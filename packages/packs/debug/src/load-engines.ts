import type { EngineEnvironment } from './dap/engine-environment.ts'
import type { DebugEngine } from './engine/debug-session.ts'

/** All engines, where two can do the same the better one first. They are loaded when they are needed. */
export async function loadEngines(environment: EngineEnvironment): Promise<readonly DebugEngine[]> {
  const [{ createNodeEngine }, { createDapEngines }] = await Promise.all([
    import('./inspector/node-engine.ts'),
    import('./dap/engines.ts'),
  ])
  return [createNodeEngine(environment), ...createDapEngines(environment)]
}
