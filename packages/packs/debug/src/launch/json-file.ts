/** Files of VS Code: JSON with comments and trailing commas, written by people. */
import { join } from 'node:path'
import { ForeignFileError, readForeignText } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { readObject } from '../json-values.ts'

/** Far more than people write. */
const MAX_BYTES = 1024 * 1024

/**
 * Undefined: it is not there. `shown`: as messages name it. Throws E_INVALID_LAUNCH, with the line where it is no JSON: also
 * for a link that leads out of the folder, since a repository decides where its links lead.
 */
export function readJsonFile(folder: string, name: string, shown = name): JsonObject | undefined {
  let text: string
  try {
    text = readForeignText(join(folder, name), { maxBytes: MAX_BYTES, root: folder }).replace(/^\uFEFF/, '')
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.problem === 'missing') return undefined
    throw new ToolError('E_INVALID_LAUNCH', `${shown} ${error.reason}`, { cause: error })
  }
  const errors: ParseError[] = []
  const content = parseNested(text, errors, shown)
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new ToolError('E_INVALID_LAUNCH', `${shown}:${line} is no JSON: ${printParseErrorCode(first.error)}`)
  }
  if (!isJsonObject(content)) throw new ToolError('E_INVALID_LAUNCH', `${shown} must be an object`)
  return content
}

/** What is nested deeper than the parser can follow is nothing that people write. */
function parseNested(text: string, errors: ParseError[], shown: string): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true })
  } catch (error) {
    throw new ToolError('E_INVALID_LAUNCH', `${shown} is nested too deeply to be read`, { cause: error })
  }
}

export function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown): item is JsonObject => isJsonObject(item)) : []
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
export function splitArguments(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
