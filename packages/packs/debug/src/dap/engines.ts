/** The table of adapters, one entry a language; where two can do the same, the better one first. */
import { OrphanGuard } from '@switchboard/process'
import type { DebugEngine } from '../engine/debug-session.ts'
import { createAdapterEngine, type EngineEnvironment } from './engine-environment.ts'
import { createGdbSpec } from './engines/gdb.ts'
import { createGoSpec } from './engines/go.ts'
import { createLldbSpec } from './engines/lldb.ts'
import { createPythonSpec } from './engines/python.ts'
import { createRubySpec } from './engines/ruby.ts'

const SPECS = [createPythonSpec, createLldbSpec, createGdbSpec, createGoSpec, createRubySpec]

export function createDapEngines(environment: Partial<EngineEnvironment> = {}): readonly DebugEngine[] {
  const complete = { ...environment, guard: environment.guard ?? new OrphanGuard() }
  return SPECS.map((create) => createAdapterEngine(create(complete)))
}
