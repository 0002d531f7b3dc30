/**
 * The second backend: the debugger of the agent's VS Code window. An engine of its own for each call, as it belongs to a window. It
 * is an adapter like the others, at the end of another wire; what is peculiar to a debugger are the traits that it has headless, too.
 */
import { askBridge } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { createAdapterEngine } from '../dap/engine-environment.ts'
import { GO_TRAITS } from '../dap/engines/go.ts'
import { LLDB_TRAITS } from '../dap/engines/lldb.ts'
import { PYTHON_TEST_TRAITS, PYTHON_TRAITS } from '../dap/engines/python.ts'
import { RUBY_TRAITS } from '../dap/engines/ruby.ts'
import type { OpenedAdapter } from '../dap/session-life.ts'
import type { DapTraits } from '../dap/traits.ts'
import type { Attach, DebugEngine, Launch } from '../engine/debug-session.ts'
import { readObject, readString } from '../json-values.ts'
import { JS_DEBUG_TRAITS } from './js-debug-traits.ts'
import { chooseType, RAW_CONFIGURATION, toConfiguration } from './window-configuration.ts'
import { toToolError, type WindowAccess, WindowConnection } from './window-connection.ts'

/** Of a debugger that nobody here knows: by the letter of the protocol. */
const PLAIN_TRAITS: DapTraits = {
  language: 'other',
  exceptionFilters: { none: [] },
  paging: 'none',
  hitCondition: (_operator, count) => String(count),
  logpoints: 'native',
  setVariable: 'native',
}

const TRAITS: Readonly<Record<string, DapTraits>> = {
  node: JS_DEBUG_TRAITS,
  debugpy: PYTHON_TRAITS,
  'lldb-dap': LLDB_TRAITS,
  gdb: LLDB_TRAITS,
  delve: GO_TRAITS,
  rdbg: RUBY_TRAITS,
}

const START_TIMEOUT_MS = 60_000
const TYPES_TIMEOUT_MS = 10_000

/** What is to be started, where it is no program. */
export type WindowStart =
  | { readonly kind: 'join' }
  | { readonly kind: 'test'; readonly path: string; readonly line: number }

/** `base`: the engine that would do it headless; undefined: a debugger that only VS Code has. */
export function createWindowEngine(
  base: DebugEngine | undefined,
  access: WindowAccess,
  other?: WindowStart,
): DebugEngine {
  const engine = base?.name ?? ''
  return createAdapterEngine({
    name: base?.name ?? 'vscode',
    backend: 'vscode',
    languages: base?.languages ?? [],
    launchTypes: base?.launchTypes ?? [],
    followsChildren: true,
    accepts: (program) => base?.accepts(program) ?? false,
    async locate() {
      const types = await readTypes(access)
      try {
        return { found: true, what: `the debugger "${chooseType(engine, types)}" of VS Code` }
      } catch (error) {
        return { found: false, install: error instanceof Error ? error.message : String(error) }
      }
    },
    async open(request): Promise<OpenedAdapter> {
      const raw = readObject(request.options[RAW_CONFIGURATION])
      const isRaw = Object.keys(raw).length > 0
      const start: JsonObject =
        other === undefined ? { configuration: await configure(request, isRaw ? raw : undefined) } : { ...other }
      const traits = { ...traitsOf(engine, request), showsBreakpoints: true }
      const connection = await WindowConnection.open(access, start, capabilitiesOf(traits))
      const isAttached = request.kind === 'attach' || raw.request === 'attach'
      return {
        name:
          request.kind === 'launch' && request.program !== '' ? request.program : (readString(raw.name) ?? 'VS Code'),
        adapterId: engine,
        wire: connection.wire,
        process: undefined,
        traits,
        command: request.kind,
        args: {},
        isLaunched: other?.kind !== 'join' && !isAttached,
        startTimeout: START_TIMEOUT_MS,
        onChild: (listener) => connection.onChild(0, listener),
      }
    },
  })

  async function configure(request: Launch | Attach, raw: JsonObject | undefined): Promise<JsonObject> {
    const types = await readTypes(access)
    if (raw === undefined) {
      const type = chooseType(engine, types)
      const name =
        request.kind === 'launch'
          ? (request.program.split(/[\\/]/).at(-1) ?? 'program')
          : `attach ${request.pid ?? request.port ?? ''}`
      return toConfiguration(type, name, request)
    }
    const type = readString(raw.type) ?? ''
    if (types.includes(type)) return raw
    throw new ToolError(
      'E_ADAPTER_MISSING',
      `The VS Code window has no debugger of the type "${type}". Install the extension that brings it`,
    )
  }
}

async function readTypes({ workspace, instance }: WindowAccess): Promise<readonly string[]> {
  try {
    const { signal } = new AbortController()
    const data = await askBridge({
      workspace,
      instance,
      scriptName: 'debug.types',
      params: {},
      timeout: TYPES_TIMEOUT_MS,
      signal,
    })
    const { types } = readObject(data)
    return Array.isArray(types) ? types.map(String) : []
  } catch (error) {
    throw toToolError(error)
  }
}

function traitsOf(engine: string, { options }: Launch | Attach): DapTraits {
  if (engine === 'debugpy' && options.userUnhandled === true) return PYTHON_TEST_TRAITS
  return TRAITS[engine] ?? PLAIN_TRAITS
}

/** Of an adapter that VS Code has not started yet: what those of its kind can do. */
function capabilitiesOf({ exceptionFilters, functionBreakpoints, language }: DapTraits): JsonObject {
  const filters = new Set(Object.values(exceptionFilters).flat())
  return {
    supportsConfigurationDoneRequest: true,
    supportsConditionalBreakpoints: true,
    supportsHitConditionalBreakpoints: true,
    supportsLogPoints: true,
    supportsSetVariable: true,
    supportsExceptionInfoRequest: true,
    supportsFunctionBreakpoints: functionBreakpoints !== false && language !== 'node' && language !== 'other',
    exceptionBreakpointFilters: [...filters].map((filter) => ({ filter, label: filter })),
  }
}
