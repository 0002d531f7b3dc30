/** One line of an export, checked: it may come from anywhere. */
import { errorMessage } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Item, isItemTime, SPACE_NAME } from '../store.ts'
import { EXPORT_VERSION } from './export-store.ts'

export interface ReadVector {
  readonly model: string
  readonly values: Float32Array
}

export interface ReadLine {
  readonly space: string
  readonly item: Item
  readonly vectors: readonly ReadVector[]
}

/** What is wrong with one line. */
export class BadLine extends Error {}

const KIND = /^[a-z][a-z0-9_]*$/i

/** Undefined: it tells nothing to be stored. */
export function readLine(line: string): ReadLine | undefined {
  if (line.trim() === '') return undefined
  const value = parse(line)
  if (value.switchboard === 'store') {
    if (typeof value.version === 'number' && value.version <= EXPORT_VERSION) return undefined
    throw new SwitchboardError(
      'store_newer',
      `The export is of version ${JSON.stringify(value.version)}, and this Switchboard reads ${EXPORT_VERSION}`,
    )
  }
  const { space, vectors = [] } = value
  if (space === undefined && typeof value.kind === 'string') {
    throw new BadLine('it was written by `switchboard memory export`: `switchboard memory import` takes it in')
  }
  if (typeof space !== 'string' || !SPACE_NAME.test(space)) throw new BadLine('"space" is no name of a space')
  if (!Array.isArray(vectors)) throw new BadLine('"vectors" is no list')
  return { space, item: readItem(value.item), vectors: vectors.map(readVector) }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new BadLine(errorMessage(error))
  }
  if (!isObject(value)) throw new BadLine('it is no JSON object')
  return value
}

function readItem(value: unknown): Item {
  if (!isObject(value)) throw new BadLine('"item" is no object')
  const { id, kind, scope, text, tags, data, createdAt, updatedAt } = value
  if (typeof id !== 'string' || id === '') throw new BadLine('"item.id" is no text')
  if (typeof kind !== 'string' || !KIND.test(kind)) throw new BadLine('"item.kind" is no kind')
  if (typeof scope !== 'string') throw new BadLine('"item.scope" is no text')
  if (typeof text !== 'string') throw new BadLine('"item.text" is no text')
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
    throw new BadLine('"item.tags" are no texts')
  if (!isObject(data)) throw new BadLine('"item.data" is no object')
  if (!isItemTime(createdAt) || !isItemTime(updatedAt))
    throw new BadLine('"item.createdAt" or "item.updatedAt" is no time')
  // It was parsed from JSON.
  return { id, kind, scope, text, tags, data: data as JsonObject, createdAt, updatedAt }
}

function readVector(value: unknown): ReadVector {
  if (!isObject(value) || typeof value.model !== 'string' || typeof value.values !== 'string') {
    throw new BadLine('a vector has no "model" or no "values"')
  }
  const bytes = Buffer.from(value.values, 'base64')
  const values = Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
  return { model: value.model, values }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
