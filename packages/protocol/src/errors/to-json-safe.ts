const DEPTH_LIMIT = 16

/**
 * A copy that `JSON.stringify` cannot fail on. Details are put together where things go wrong, so they may hold an
 * Error (its message is kept, never its stack), a bigint, or a circle; a report must not fail because of that.
 */
export function toJsonSafe(value: unknown): unknown {
  return copy(value, [])
}

function copy(value: unknown, ancestors: readonly object[]): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'string':
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, ancestors)
    default:
      return undefined
  }
}

function copyObject(value: object, ancestors: readonly object[]): unknown {
  if (value instanceof Error) return value.message
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (ancestors.includes(value)) return '[circular]'
  if (ancestors.length >= DEPTH_LIMIT) return '[too deep]'
  const inner = [...ancestors, value]
  if (Array.isArray(value)) return value.map((item) => copy(item, inner) ?? null)
  const object: { [key: string]: unknown } = {}
  for (const [key, member] of Object.entries(value)) {
    const copied = copy(member, inner)
    if (copied !== undefined) object[key] = copied
  }
  return object
}
