import { errorMessage, ForeignFileError, isPathInside, readForeignText } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/s

const MAX_BYTES = 1024 * 1024

export interface EnvFilePlace {
  /** Of the folder that names it. A link inside it does not lead out; a path outside is meant as it is written. */
  readonly folder: string
  readonly shown: string
}

/** `NAME=value` lines; comments, quotes and `\n` in double quotes as usual. Throws E_FILE_NOT_FOUND. */
export function readEnvFile(path: string, { folder, shown }: EnvFilePlace): Record<string, string> {
  try {
    return parseEnv(
      readForeignText(path, { maxBytes: MAX_BYTES, root: isPathInside(folder, path) ? folder : undefined }),
    )
  } catch (error) {
    const why = error instanceof ForeignFileError ? error.reason : `could not be read: ${errorMessage(error)}`
    throw new ToolError('E_FILE_NOT_FOUND', `The envFile ${shown} ${why}`, { cause: error })
  }
}

function parseEnv(text: string): Record<string, string> {
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
  return single?.[1] ?? raw.replace(/(?<!\s)\s+#.*/s, '')
}
