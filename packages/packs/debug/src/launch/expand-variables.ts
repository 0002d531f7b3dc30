/**
 * VS Code's variables in a configuration. What only an editor knows (the open file, an answer of a person) is refused by
 * name, with what to do instead; nothing is guessed.
 */
import { homedir } from 'node:os'
import { basename, dirname, extname, relative, sep } from 'node:path'
import { DebugError } from '../session/debug-error.ts'

export interface VariableScope {
  /** The folder that launch.json belongs to. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Stands for the file that would be open in an editor. */
  readonly file?: string | undefined
}

/** In every text of the value, however deep. Throws E_INVALID_LAUNCH. */
export function expandVariables(value: unknown, scope: VariableScope, where = ''): unknown {
  if (typeof value === 'string') return expandText(value, scope, where)
  if (Array.isArray(value)) return value.map((item, index) => expandVariables(item, scope, `${where}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      expandVariables(item, scope, where === '' ? key : `${where}.${key}`),
    ]),
  )
}

function expandText(text: string, scope: VariableScope, where: string): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    const [name = '', ...rest] = inside.split(':')
    return expandOne(name, rest.join(':'), scope) ?? refuse(whole, name, where)
  })
}

function expandOne(name: string, argument: string, { folder, env, file }: VariableScope): string | undefined {
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
    case 'cwd':
    case 'fileWorkspaceFolder':
      return folder
    case 'workspaceFolderBasename':
      return basename(folder)
    case 'userHome':
      return homedir()
    case 'pathSeparator':
    case '/':
      return sep
    case 'env':
      // As in VS Code: what is not set is empty.
      return argument === '' ? undefined : (env[argument] ?? '')
    default:
      return file === undefined ? undefined : expandFile(name, file, folder)
  }
}

function expandFile(name: string, file: string, folder: string): string | undefined {
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
    default:
      return undefined
  }
}

function refuse(whole: string, name: string, where: string): never {
  throw new DebugError('E_INVALID_LAUNCH', `${where} has ${whole}: ${explain(name)}`, {
    details: { variable: whole, key: where },
  })
}

function explain(name: string): string {
  if (/^(?:file|relativeFile)/.test(name))
    return 'no editor is open here; give `program` as well, which stands for the open file'
  if (name === 'input') return 'nobody can be asked here; give program, args and env in its place'
  if (name === 'command') return 'that is a command of VS Code; give the value itself (for a process: attach.pid)'
  if (name === 'config') return 'settings of VS Code are not read here; give the value itself'
  if (name === 'lineNumber' || name === 'selectedText' || name === 'columnNumber') return 'no editor is open here'
  return 'this variable is not known'
}
