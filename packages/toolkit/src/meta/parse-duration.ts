const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** Milliseconds of `500ms`, `5s`, `1.5m`; undefined for anything else, and for nothing at all. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = amount === undefined ? 0 : Number(amount) * (UNIT_MS[unit] ?? 0)
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined
}
