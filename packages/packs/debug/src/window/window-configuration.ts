/** A program, or something that runs already, as a configuration that VS Code's debuggers understand. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import type { Attach, Launch } from '../engine/debug-session.ts'

/** Of `options`: a configuration of launch.json, as the file has it. VS Code reads its variables and runs its tasks itself. */
export const RAW_CONFIGURATION = 'windowConfiguration'

/** The debuggers for a language, by their `type` in launch.json; the first that the window has is taken. */
const TYPES: Readonly<Record<string, { readonly types: readonly string[]; readonly install: string }>> = {
  node: { types: ['pwa-node', 'node'], install: 'It is a part of VS Code: enable “JavaScript Debugger”' },
  debugpy: { types: ['debugpy', 'python'], install: 'Install the extension “Python Debugger” (ms-python.debugpy)' },
  'lldb-dap': { types: ['lldb-dap', 'lldb', 'cppdbg'], install: 'Install the extension “LLDB DAP” or “CodeLLDB”' },
  gdb: { types: ['gdb', 'cppdbg', 'lldb'], install: 'Install the extension “C/C++” (ms-vscode.cpptools)' },
  delve: { types: ['go'], install: 'Install the extension “Go” (golang.go)' },
  rdbg: {
    types: ['rdbg', 'ruby_lsp'],
    install: 'Install the extension “VSCode rdbg Ruby Debugger” (KoichiSasada.vscode-rdbg)',
  },
}

/** Throws E_ADAPTER_MISSING. */
export function chooseType(engine: string, types: readonly string[]): string {
  const known = TYPES[engine]
  const found = known?.types.find((type) => types.includes(type))
  if (found !== undefined) return found
  const install = known?.install ?? `Install an extension that debugs with ${engine}`
  throw new ToolError(
    'E_ADAPTER_MISSING',
    `The VS Code window has no debugger for ${engine}. ${install}, or use the backend headless`,
  )
}

export function toConfiguration(type: string, name: string, request: Launch | Attach): JsonObject {
  throwOnInput(request)
  const { language: _, libraries, [RAW_CONFIGURATION]: __, userUnhandled: ___, ...options } = request.options
  const own = request.kind === 'launch' ? launchOf(type, request) : attachOf(type, request)
  return { type, name, ...commonOf(type, libraries === true), ...withoutUndefined(options), ...own }
}

/** A configuration of launch.json with what a call says beside its name. What it does not say itself is as for a program. */
export function completeConfiguration(
  raw: JsonObject,
  given: {
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
    readonly inputs?: Readonly<Record<string, string>>
    readonly stopOnEntry: boolean
    readonly skipTask?: boolean
    readonly libraries?: boolean
  },
): JsonObject {
  const { preLaunchTask, postDebugTask, ...rest } = raw
  const tasks = given.skipTask === true ? {} : withoutUndefined({ preLaunchTask, postDebugTask })
  const type = typeof raw.type === 'string' ? raw.type : ''
  const { skipFiles: _, justMyCode: __, ...common } = commonOf(type, false)
  const libraries = given.libraries === true ? commonOf(type, true) : {}
  const answered = given.inputs === undefined ? rest : withInputs(rest, given.inputs)
  return {
    ...common,
    ...(isJsonObject(answered) ? answered : {}),
    ...libraries,
    ...tasks,
    ...(given.args === undefined ? {} : { args: [...given.args] }),
    ...(given.cwd === undefined ? {} : { cwd: given.cwd }),
    ...(given.env === undefined ? {} : { env: { ...(isJsonObject(raw.env) ? raw.env : {}), ...given.env } }),
    ...(given.stopOnEntry ? { stopOnEntry: true } : {}),
  }
}

/** Those that the call answers; for the others VS Code asks the person. */
function withInputs(value: unknown, inputs: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{input:([^{}]+)\}/g, (whole, id: string) => inputs[id] ?? whole)
  if (Array.isArray(value)) return value.map((item) => withInputs(item, inputs))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withInputs(item, inputs)]))
}

/** Where the type is `node` an older name is meant, and VS Code knows it. */
function isJavaScript(type: string): boolean {
  return type === 'node' || type === 'pwa-node'
}

function commonOf(type: string, libraries: boolean): JsonObject {
  if (isJavaScript(type)) {
    // What it prints reaches us as it was printed, and not only what goes through the console.
    return {
      console: 'internalConsole',
      outputCapture: 'std',
      autoAttachChildProcesses: true,
      skipFiles: ['<node_internals>/**', ...(libraries ? [] : ['**/node_modules/**'])],
      smartStep: false,
    }
  }
  if (type === 'debugpy' || type === 'python') {
    return {
      console: 'internalConsole',
      justMyCode: !libraries,
      subProcess: true,
      redirectOutput: true,
      showReturnValue: false,
      variablePresentation: { special: 'hide', function: 'hide', class: 'hide', protected: 'inline' },
    }
  }
  return {}
}

function launchOf(type: string, { program, args, cwd, env, stopOnEntry, options }: Launch): JsonObject {
  const isModule = typeof options.module === 'string'
  return {
    request: 'launch',
    ...(program === '' || isModule ? {} : { program }),
    args: [...args],
    cwd,
    ...(type === 'cppdbg'
      ? { environment: Object.entries(env).map(([name, value]) => ({ name, value })), stopAtEntry: stopOnEntry }
      : { env: { ...env }, stopOnEntry }),
  }
}

function attachOf(type: string, { host, port, pid, cwd }: Attach): JsonObject {
  const address = host ?? '127.0.0.1'
  const isPython = type === 'debugpy' || type === 'python'
  return {
    request: 'attach',
    cwd,
    ...(pid === undefined ? {} : { processId: isJavaScript(type) ? String(pid) : pid }),
    ...(port === undefined
      ? {}
      : isPython
        ? { connect: { host: address, port } }
        : { port, ...addressOf(type, address) }),
  }
}

function addressOf(type: string, host: string): JsonObject {
  return isJavaScript(type) ? { address: host } : { host }
}

function throwOnInput(request: Launch | Attach): void {
  if (request.kind === 'attach' || request.stdin === undefined) return
  throw new ToolError(
    'E_UNSUPPORTED_CAPABILITY',
    'VS Code gives a program no standard input. Use the backend headless, or let the program read from a file.',
  )
}

function withoutUndefined(options: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
