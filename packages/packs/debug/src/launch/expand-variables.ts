/**
 * VS Code's variables in a configuration or a task. What only an editor or a person knows (the open file, a picked value,
 * a command of an extension) can be given by the call, in `inputs`; else it is refused by name, with what to do instead.
 * Nothing is guessed but the default that an input declares.
 */
import { homedir } from 'node:os'
import { basename, dirname, extname, relative, sep } from 'node:path'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { findFolder, type WorkspaceFolder } from './code-workspace.ts'
import { readText } from './json-file.ts'

export interface VariableScope {
  /** The folder that the file belongs to. */
  readonly folder: string
  readonly folders: readonly WorkspaceFolder[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Stands for the file that would be open in an editor. */
  readonly file?: string | undefined
  /** Values that the call gives: by the id of an input, or by what stands in the braces. */
  readonly given: Readonly<Record<string, string>>
  /** The `inputs` of the file. */
  readonly inputs: readonly JsonObject[]
  /** Of the folder and its workspace; read when something asks for it. */
  settings(): JsonObject
  /** The label of the default build task. */
  buildTask(): string | undefined
}

/** In every text of the value, however deep. Throws E_INVALID_LAUNCH. */
export function expandLaunchVariables(value: unknown, scope: VariableScope, where = ''): unknown {
  if (typeof value === 'string') return expandText(value, scope, where)
  if (Array.isArray(value)) return value.map((item, index) => expandLaunchVariables(item, scope, `${where}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      expandLaunchVariables(item, scope, where === '' ? key : `${where}.${key}`),
    ]),
  )
}

function expandText(text: string, scope: VariableScope, where: string): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    const [name = '', ...rest] = inside.split(':')
    const argument = rest.join(':')
    const given = Object.hasOwn(scope.given, inside) ? scope.given[inside] : undefined
    return given ?? expandOne(name, argument, scope, where) ?? refuse(whole, explain(name, inside), where)
  })
}

function expandOne(name: string, argument: string, scope: VariableScope, where: string): string | undefined {
  const { folder, folders, env, file } = scope
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return argument === '' ? folder : findFolder(argument, folders).path
    case 'workspaceFolderBasename':
    case 'workspaceRootFolderName':
      return basename(argument === '' ? folder : findFolder(argument, folders).path)
    case 'cwd':
      return folder
    case 'userHome':
      return homedir()
    case 'pathSeparator':
    case '/':
      return sep
    case 'env':
      // As in VS Code: what is not set is empty.
      return argument === '' ? undefined : (env[argument] ?? '')
    case 'input':
      return expandInput(argument, scope, where)
    case 'config':
      return readSetting(scope.settings(), argument)
    case 'defaultBuildTask':
      return scope.buildTask()
    default:
      return file === undefined ? undefined : expandFile(name, file, scope)
  }
}

function expandFile(name: string, file: string, { folder, folders }: VariableScope): string | undefined {
  switch (name) {
    case 'file':
      return file
    case 'relativeFile':
      return relative(folder, file)
    case 'relativeFileDirname':
      return relative(folder, dirname(file)) || '.'
    case 'fileBasename':
      return basename(file)
    case 'fileBasenameNoExtension':
      return basename(file, extname(file))
    case 'fileExtname':
      return extname(file)
    case 'fileDirname':
      return dirname(file)
    case 'fileDirnameBasename':
      return basename(dirname(file))
    case 'fileWorkspaceFolder':
      return folderOf(file, folders) ?? folder
    case 'fileWorkspaceFolderBasename':
      return basename(folderOf(file, folders) ?? folder)
    default:
      return undefined
  }
}

/** The innermost that it lies in. */
function folderOf(file: string, folders: readonly WorkspaceFolder[]): string | undefined {
  return folders
    .map(({ path }) => path)
    .filter((path) => file.startsWith(path + sep))
    .sort((a, b) => b.length - a.length)[0]
}

function expandInput(id: string, { given, inputs }: VariableScope, where: string): string | undefined {
  const declared = inputs.find((input) => input.id === id)
  const options = listOptions(declared?.options)
  const value = (Object.hasOwn(given, id) ? given[id] : undefined) ?? defaultOf(declared)
  if (value === undefined) {
    const what = declared === undefined ? 'no input of that name is declared' : describeInput(declared, options)
    return refuse(`\${input:${id}}`, `${what}; give it: inputs {"${id}": "…"}`, where)
  }
  if (options.length === 0 || options.includes(value)) return value
  return refuse(`\${input:${id}}`, `"${value}" is none of its options: ${options.join(', ')}`, where)
}

/** What a person would have to do no more than confirm. */
function defaultOf(declared: JsonObject | undefined): string | undefined {
  return declared === undefined || declared.type === 'command' ? undefined : readText(declared, 'default')
}

function describeInput(declared: JsonObject, options: readonly string[]): string {
  const asked = readText(declared, 'description')
  const choice = options.length === 0 ? '' : `, one of ${options.join(', ')}`
  return `it is asked for${asked === undefined ? '' : ` ("${asked}")`}${choice}, and has no default`
}

function listOptions(options: unknown): string[] {
  if (!Array.isArray(options)) return []
  return options.map((option: unknown) => String(isJsonObject(option) ? option.value : option))
}

/** `a.b.c` as one key, or as objects in objects; what is neither text, number nor boolean has no place in a text. */
function readSetting(settings: JsonObject, name: string): string | undefined {
  const nested = name
    .split('.')
    .reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), settings)
  const value = settings[name] ?? nested
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

function refuse(whole: string, why: string, where: string): never {
  throw new ToolError('E_INVALID_LAUNCH', `${where} has ${whole}: ${why}`, {
    details: { variable: whole, key: where },
  })
}

function explain(name: string, inside: string): string {
  const give = `give the value: inputs {"${inside}": "…"}`
  if (/^(?:file|relativeFile)/.test(name))
    return 'no editor is open here; give `program` as well, which stands for the open file'
  if (name === 'command') return `that is a command of VS Code; ${give} (a process: or attach.pid)`
  if (name === 'config') return `.vscode/settings.json does not have it; ${give}`
  if (name === 'lineNumber' || name === 'selectedText' || name === 'columnNumber')
    return `no editor is open here; ${give}`
  if (name === 'execPath') return `that is VS Code's own program; ${give}`
  if (name === 'defaultBuildTask') return 'tasks.json has no default build task'
  return `this variable is not known; ${give}`
}
