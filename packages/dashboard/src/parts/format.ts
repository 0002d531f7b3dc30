/** Numbers and times as people read them. */

export function formatMs(ms: number | null | undefined): string {
  if (ms === undefined || ms === null) return '–'
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`
  return formatAge(ms)
}

export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

export function formatCount(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function formatTokens(tokens: number): string {
  return tokens < 1_000 ? `${tokens}` : `${(tokens / 1_000).toFixed(1)}k`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Of this person's own day. */
export function formatTime(iso: string): string {
  const time = new Date(iso)
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0')
  return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`
}

/** `medium`: to the second. */
export function formatDate(time: string | number, timeStyle: 'short' | 'medium' = 'short'): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle })
}

export function formatNumber(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
