import { readFileSync } from 'node:fs'
import { DebugError } from '../session/debug-error.ts'

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/

/** `NAME=value` lines; comments, quotes and `\n` in double quotes as usual. Throws E_FILE_NOT_FOUND. */
export function readEnvFile(path: string, shown: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new DebugError('E_FILE_NOT_FOUND', `The envFile ${shown} could not be read`, { cause: error })
  }
  return parseEnv(text)
}

export function parseEnv(text: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, raw = ''] = LINE.exec(line) ?? []
    if (name !== undefined) env[name] = unquote(raw.trim())
  }
  return env
}

function unquote(raw: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(raw)
  if (double?.[1] !== undefined) return double[1].replaceAll('\\n', '\n').replace(/\\(["\\])/g, '$1')
  const single = /^'([^']*)'/.exec(raw)
  return single?.[1] ?? raw.replace(/\s+#.*$/, '')
}
