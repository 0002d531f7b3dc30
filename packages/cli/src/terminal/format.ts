/** Numbers as people read them. */

/** `850ms`, `12s`, `3m 20s`, `4h 05m`, `2d 3h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h ${pad(minutes % 60)}m`
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${round(bytes / 1000)} kB`
  return `${round(bytes / 1_000_000)} MB`
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export function formatTokens(tokens: number): string {
  return tokens < 1000 ? `${tokens}` : `${round(tokens / 1000)}k`
}

/** `14:02:11`, in the person's own time zone. */
export function formatClock(time: number): string {
  const date = new Date(time)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** `~/.switchboard/config.json` */
export function formatPath(path: string, userHome: string | undefined): string {
  if (userHome === undefined || userHome === '' || !path.startsWith(userHome)) return path
  const rest = path.slice(userHome.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('\\') ? `~${rest}` : path
}

function round(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
