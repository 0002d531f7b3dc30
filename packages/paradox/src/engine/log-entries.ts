/**
 * The lines of the game's logs as entries: `[18:43:12][E][source.cpp:42]: message`, with what is indented or has no head below it.
 */
export interface GameLogEntry {
  readonly time: string
  /** `E` error, `W` warning, `I` information, `D` debugging. */
  readonly level: string
  /** The file of the game's own sources, without its line. */
  readonly source: string
  readonly message: string
  /** What of the mods it names. */
  readonly places: readonly LogPlace[]
  /** In the log, from 1. */
  readonly line: number
}

export interface LogPlace {
  readonly path: string
  readonly line?: number
}

const HEAD = /^\[(\d\d:\d\d:\d\d)\](?:\[(\w)\])?\[([^\]:]{1,80})(?::\d+)?\]: ?(.*)$/
const ROOTS = 'common|events|gui|gfx|history|localization|map_data|music|sound|data_binding|notifications'
const PLACE = new RegExp(
  `\\b((?:${ROOTS})/[^'":*?<>|\\n]{1,200}?\\.(?:txt|yml|gui|asset|gfx|csv|dds|mesh|map))\\b['"]?(?:[ :,(]{0,4}(?:near )?(?:line:? ?|:)(\\d{1,8}))?`,
  'g',
)
const MAX_MESSAGE = 4_000

export function parseGameLog(text: string): GameLogEntry[] {
  const entries: GameLogEntry[] = []
  let open: { time: string; level: string; source: string; message: string; line: number } | undefined
  const close = (): void => {
    if (open === undefined) return
    const message = open.message.trimEnd().slice(0, MAX_MESSAGE)
    entries.push({ ...open, message, places: placesOf(message) })
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const [whole, time = '', level = 'I', source = '', message = ''] = HEAD.exec(line) ?? []
    if (whole !== undefined) {
      close()
      open = { time, level, source, message, line: index + 1 }
    } else if (open !== undefined && line.trim() !== '' && open.message.length < MAX_MESSAGE)
      open.message += `\n${line.trim()}`
  }
  close()
  return entries
}

function placesOf(message: string): LogPlace[] {
  const places = new Map<string, LogPlace>()
  for (const [, path = '', line] of message.replaceAll('\\', '/').matchAll(PLACE)) {
    places.set(`${path}:${line ?? ''}`, { path, ...(line !== undefined && { line: Number(line) }) })
  }
  return [...places.values()]
}
