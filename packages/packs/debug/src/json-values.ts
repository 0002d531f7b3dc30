/** Reads what others wrote, adapters and people: they leave members out, and some write null for "none". */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export type JsonMembers = Readonly<JsonObject>

/** Empty for anything else. */
export function readObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function readObjects(value: unknown): JsonMembers[] {
  return Array.isArray(value) ? value.map(readObject) : []
}

export function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function readNumbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []
}
