import { maskSecrets, maskText } from '@switchboard/telemetry'

/** A value on one line, cut, masked when it or its name looks like a secret. */
export function shortValue(name: string, value: string, limit = 60): string {
  const line = value.replaceAll(/\s*\n\s*/g, ' ')
  const masked = maskSecrets({ [name]: line })
  const safe = isRecord(masked) && typeof masked[name] === 'string' ? masked[name] : maskText(line)
  return safe.length <= limit ? safe : `${safe.slice(0, limit)}…(+${safe.length - limit})`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
