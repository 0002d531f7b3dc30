/** Files of VS Code: JSON with comments and trailing commas, written by people. */
import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { DebugError } from '../session/debug-error.ts'

/** Undefined: it is not there. Throws E_INVALID_LAUNCH with the line. */
export function readJsonFile(path: string, shown: string): JsonObject | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw new DebugError('E_INVALID_LAUNCH', `${shown} could not be read: ${String(error)}`, { cause: error })
  }
  const errors: ParseError[] = []
  const content: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new DebugError('E_INVALID_LAUNCH', `${shown}:${line} is no JSON: ${printParseErrorCode(first.error)}`)
  }
  if (!isJsonObject(content)) throw new DebugError('E_INVALID_LAUNCH', `${shown} must be an object`)
  return content
}

export function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown): item is JsonObject => isJsonObject(item)) : []
}

export function readObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Undefined: not there, or empty. */
export function readText(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** With what the platform's own block (`linux`, `osx`, `windows`) puts in its place. */
export function forPlatform(object: JsonObject, platform: NodeJS.Platform = process.platform): JsonObject {
  const { linux, osx, windows, ...rest } = object
  const own = platform === 'darwin' ? osx : platform === 'win32' ? windows : linux
  return { ...rest, ...readObject(own) }
}

/** A text is split at blanks, quotes respected. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
