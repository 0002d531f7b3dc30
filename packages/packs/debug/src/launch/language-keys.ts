/**
 * What each extension of VS Code calls things, in the words that the engines know. The value undefined takes a key away;
 * what cannot be done is refused by name. Keys that nobody lists here reach the debug adapter as they are.
 */
import { isAbsolute } from 'node:path'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { listObjects, readText, splitArguments } from './json-file.ts'

type Translate = (configuration: JsonObject) => Readonly<Record<string, unknown>>

const NODE_TYPES = ['node', 'pwa-node', 'node2', 'node-terminal']
const NATIVE_TYPES = ['cppdbg', 'cppvsdbg', 'lldb', 'lldb-dap', 'codelldb', 'lldb-vscode', 'gdb']

/** VS Code asks its Python extension; here the interpreter of the workspace is found anyway. */
const INTERPRETER = /^\$\{command:python\.interpreterPath\}$/

/** Before its variables are expanded: some of them mean what is done here without being asked. */
export function dropKnownCommands(raw: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).filter(
      ([key, value]) => !(/^python(?:Path)?$/.test(key) && typeof value === 'string' && INTERPRETER.test(value)),
    ),
  )
}

/** Throws E_INVALID_LAUNCH. */
export function translateKeys(type: string, configuration: JsonObject): JsonObject {
  const translate = translatorOf(type)
  if (translate === undefined) return configuration
  const changed = { ...configuration, ...translate(configuration) }
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
}

function translatorOf(type: string): Translate | undefined {
  if (NODE_TYPES.includes(type)) return translateNode
  if (NATIVE_TYPES.includes(type)) return translateNative
  if (type === 'python' || type === 'debugpy') return translatePython
  if (type === 'go' || type === 'delve') return translateGo
  return type === 'ruby' || type === 'rdbg' || type === 'ruby_lsp' ? translateRuby : undefined
}

const translateNode: Translate = (configuration) => {
  const command = readText(configuration, 'command')
  const { runtimeArgs, type } = configuration
  if (type !== 'node-terminal') {
    return typeof runtimeArgs === 'string' ? { runtimeArgs: splitArguments(runtimeArgs) } : {}
  }
  if (command === undefined) throw invalid(configuration, 'is of the type node-terminal and has no "command"')
  // Every Node process that the shell starts is debugged.
  const [shell, ...flags] = process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-c']
  return { command: undefined, runtimeExecutable: shell, runtimeArgs: [...flags, command] }
}

const translatePython: Translate = (configuration) => {
  const { localRoot, remoteRoot, pathMappings, listen } = configuration
  if (listen !== undefined) {
    throw invalid(
      configuration,
      'waits for the program to connect ("listen"): start the program with python -m debugpy --listen <port>, and use "connect"',
    )
  }
  const mapped = typeof localRoot === 'string' && typeof remoteRoot === 'string' && pathMappings === undefined
  return {
    localRoot: undefined,
    remoteRoot: undefined,
    ...(mapped ? { pathMappings: [{ localRoot, remoteRoot }] } : {}),
  }
}

const translateNative: Translate = (configuration) => {
  const { environment, sourceFileMap, sourceMap, cargo, coreDumpPath, sourceLanguages } = configuration
  if (cargo !== undefined && readText(configuration, 'program') === undefined) {
    throw invalid(
      configuration,
      'builds with "cargo" first: run cargo build yourself, and give "program" (such as target/debug/app)',
    )
  }
  if (coreDumpPath !== undefined) throw invalid(configuration, 'opens a core dump, which cannot be done here')
  const server = readText(configuration, 'miDebuggerServerAddress')
  const [host, port] = server === undefined ? [] : server.split(/:(?=\d+$)/)
  return {
    cargo: undefined,
    environment: undefined,
    sourceFileMap: undefined,
    // Their environment is a list of names and values.
    ...(Array.isArray(environment)
      ? {
          env: Object.fromEntries(listObjects(environment).map(({ name, value }) => [String(name), String(value)])),
        }
      : {}),
    ...toSourceMap(sourceMap ?? sourceFileMap),
    ...(Array.isArray(sourceLanguages) && sourceLanguages.includes('rust') ? { language: 'rust' } : {}),
    ...(port === undefined ? {} : { host, port: Number(port), request: 'attach' }),
  }
}

/** lldb-dap takes pairs; the others write an object. */
function toSourceMap(map: unknown): { sourceMap?: unknown } {
  if (map === undefined) return {}
  if (!isJsonObject(map)) return { sourceMap: map }
  return {
    sourceMap: Object.entries(map).map(([from, to]) => [from, isJsonObject(to) ? String(to.editorPath) : String(to)]),
  }
}

const translateGo: Translate = (configuration) => {
  const { mode, remotePath, substitutePath, cwd } = configuration
  const from = typeof cwd === 'string' ? cwd : undefined
  return {
    // `auto` means: look at the program, which is what happens without a mode.
    ...(mode === 'auto' ? { mode: undefined } : {}),
    remotePath: undefined,
    ...(typeof remotePath === 'string' && remotePath !== '' && from !== undefined && substitutePath === undefined
      ? { substitutePath: [{ from, to: remotePath }] }
      : {}),
  }
}

const translateRuby: Translate = (configuration) => {
  const { debugPort, debugHost, debugSocketPath, script, program } = configuration
  const port = typeof debugPort === 'number' ? String(debugPort) : debugPort
  const address = typeof port === 'string' ? /^(?:(.+):)?(\d+)$/.exec(port) : null
  return {
    script: undefined,
    debugSocketPath: undefined,
    debugHost: undefined,
    ...(program === undefined && typeof script === 'string' ? { program: script } : {}),
    ...(typeof program === 'string' ? readRubyCommand(configuration, program) : {}),
    ...(typeof debugSocketPath === 'string' ? { socketPath: debugSocketPath } : {}),
    ...(address === null ? {} : { debugPort: undefined, port: Number(address[2]), host: address[1] ?? debugHost }),
  }
}

/** The Ruby LSP writes a whole command: `ruby ${file}`, `bundle exec ruby -Ilib app.rb`. */
function readRubyCommand(configuration: JsonObject, program: string): Readonly<Record<string, unknown>> {
  if (isAbsolute(program) || !/^(?:bundle exec )?ruby\s/.test(program)) return {}
  const words = splitArguments(program.replace(/^(?:bundle exec )?ruby\s+/, ''))
  const at = words.findIndex((word) => !word.startsWith('-'))
  const file = words[at]
  if (file === undefined) throw invalid(configuration, `has the program "${program}", which names no file`)
  const own = Array.isArray(configuration.args) ? configuration.args : []
  return { program: file, args: [...words.slice(at + 1), ...own] }
}

export function invalid(configuration: JsonObject, problem: string): ToolError {
  const name = readText(configuration, 'name') ?? 'launch'
  return new ToolError('E_INVALID_LAUNCH', `The configuration "${name}" ${problem}`)
}
