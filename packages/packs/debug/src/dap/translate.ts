/** From the adapter's words to ours: frames, scopes, variables, threads, the outcome of `exceptionInfo`. */
import { isAbsolute, relative, sep } from 'node:path'
import type {
  ExceptionInfo,
  Frame,
  OutputCategory,
  Place,
  Scope,
  ScopeKind,
  Variable,
} from '../engine/debug-session.ts'
import { type JsonMembers, readNumber, readObject, readString } from '../json-values.ts'
import type { DapTraits } from './traits.ts'

/** Folders below a workspace that hold other people's code. */
const FOREIGN_FOLDERS = new Set([
  'node_modules',
  'site-packages',
  'dist-packages',
  '.venv',
  'venv',
  'vendor',
  '.cargo',
  '.bundle',
])

export function toPlace(source: unknown, line: unknown, column?: unknown): Place | undefined {
  const path = readString(readObject(source).path)
  const number = readNumber(line)
  if (path === undefined || !isAbsolute(path) || number === undefined || number < 1) return undefined
  const position = readNumber(column)
  return { path, line: number, ...(position === undefined || position < 1 ? {} : { column: position }) }
}

export function toFrame(row: JsonMembers, workspace: string, traits: DapTraits): Frame {
  const place = toPlace(row.source, row.line, row.column)
  const name = readString(row.name) ?? '?'
  // Ruby gives its built-in methods the place of whoever called them.
  const isHidden = row.presentationHint === 'subtle' || row.presentationHint === 'label' || name.startsWith('[C] ')
  return {
    id: readNumber(row.id) ?? 0,
    name: traits.frameName?.(name) ?? name,
    ...(place === undefined ? {} : { place }),
    isUser: place !== undefined && !isHidden && isUserCode(place.path, workspace),
  }
}

export function isUserCode(path: string, workspace: string): boolean {
  const below = relative(workspace, path)
  if (below === '' || isAbsolute(below)) return false
  const folders = below.split(sep)
  return folders[0] !== '..' && !folders.some((folder) => FOREIGN_FOLDERS.has(folder))
}

export function toScope(row: JsonMembers): Scope {
  const name = readString(row.name) ?? 'Scope'
  return {
    name,
    kind: toScopeKind(readString(row.presentationHint), name),
    reference: readNumber(row.variablesReference) ?? 0,
    isExpensive: row.expensive === true,
  }
}

function toScopeKind(hint: string | undefined, name: string): ScopeKind {
  const word = `${hint ?? ''} ${name}`.toLowerCase()
  // js-debug calls what it closes over arguments.
  if (/^closure\b/i.test(name)) return 'closure'
  if (hint === 'locals' || /\blocals?\b/.test(word)) return 'local'
  if (word.includes('argument')) return 'arguments'
  if (word.includes('register')) return 'registers'
  if (word.includes('closure')) return 'closure'
  if (word.includes('block')) return 'block'
  if (word.includes('global') || word.includes('static')) return 'global'
  return 'other'
}

export function toVariable(row: JsonMembers, name: string, { tidyValue }: Pick<DapTraits, 'tidyValue'> = {}): Variable {
  const type = readString(row.type)
  const named = readNumber(row.namedVariables)
  const indexed = readNumber(row.indexedVariables)
  const expression = readString(row.evaluateName)
  const value = readString(row.value) ?? readString(row.result) ?? ''
  return {
    name,
    value: tidyValue?.(value, type ?? '') ?? value,
    ...(type === undefined || type === '' ? {} : { type }),
    reference: readNumber(row.variablesReference) ?? 0,
    ...(named === undefined || named === 0 ? {} : { named }),
    ...(indexed === undefined || indexed === 0 ? {} : { indexed }),
    ...(expression === undefined || expression === '' ? {} : { expression }),
  }
}

/** `[4000]` and `0042` are both elements: adapters spell them each in their own way. */
export function tidyName(name: string): string {
  const digits = /^\[(\d+)\]$/.exec(name)?.[1] ?? (/^\d+$/.test(name) ? name : undefined)
  return digits === undefined ? name : digits.replace(/^0+(?=\d)/, '')
}

export function isElementName(name: string): boolean {
  return /^\d+$/.test(name)
}

export function toExceptionInfo(body: JsonMembers): ExceptionInfo | undefined {
  const details = readObject(body.details)
  const id = readString(body.exceptionId)
  // js-debug has all of it in the id.
  const [, name, text] = /^([\w$.]+): (.*)$/s.exec(id ?? '') ?? []
  const type = readString(details.fullTypeName) ?? readString(details.typeName) ?? name ?? id
  if (type === undefined) return undefined
  const mode = readString(body.breakMode)
  const stack = readString(details.stackTrace)
  return {
    // debugpy puts a note behind it when the exception has passed some frames already.
    type: type.replace(/(?<!\s)\s+\(note: .*/s, ''),
    message: readString(details.message) ?? readString(body.description) ?? text ?? '',
    ...(mode === undefined || mode === '' ? {} : { isUncaught: mode === 'unhandled' || mode === 'userUnhandled' }),
    ...(stack === undefined || stack === '' ? {} : { stack }),
  }
}

/** Undefined: nobody wants to hear it. */
export function toCategory(category: string | undefined): OutputCategory | undefined {
  if (category === 'telemetry') return undefined
  return category === 'stdout' || category === 'stderr' ? category : 'console'
}
