/**
 * The tables `[mcp_servers.<name>]` of a TOML file, as far as a report needs them: `command`, `args`, `url`, `enabled`. What
 * is written in another way is not seen; the file is never changed.
 */
export interface TomlServer {
  readonly path: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
}

const KEY = /^\s*(command|args|url|enabled)\s*=\s*(.*)$/

export function readTomlServers(text: string, table: string): TomlServer[] {
  const found: { path: string[]; value: Record<string, unknown> }[] = []
  let current: Record<string, unknown> | undefined
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const header = /^\s*\[([^\]]*)\]\s*(?:#.*)?$/.exec(line)
    if (header !== null) {
      const [first, name, ...deeper] = splitKey(header[1] ?? '')
      current = first === table && name !== undefined && deeper.length === 0 ? {} : undefined
      if (current !== undefined && name !== undefined) found.push({ path: [table, name], value: current })
      continue
    }
    const [, key, start = ''] = KEY.exec(line) ?? []
    if (current === undefined || key === undefined) continue
    let value = start
    // A list may go over several lines.
    while (value.startsWith('[') && !/\]\s*(?:#.*)?$/.test(value) && at + 1 < lines.length) value += ` ${lines[++at]}`
    current[key] = readValue(value)
  }
  return found
}

function splitKey(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

function readValue(text: string): unknown {
  if (/^true\b/.test(text)) return true
  if (/^false\b/.test(text)) return false
  const strings = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([whole, , literal]) =>
    literal === undefined ? readBasic(whole) : literal,
  )
  return text.startsWith('[') ? strings : strings[0]
}

function readBasic(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}
