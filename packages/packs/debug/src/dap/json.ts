/** Reads what came over a wire: adapters leave fields out, and some send null for "none". */
export type Json = Readonly<Record<string, unknown>>

export function readObject(value: unknown): Json {
  // Checked: an object that is no array has string keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function readObjects(value: unknown): Json[] {
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
