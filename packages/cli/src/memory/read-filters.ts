import { resolve } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import type { OptionValues } from '../command-line/option-values.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { CommandContext } from '../context/command-context.ts'

const MOST = 1_000

/** `--project`, `--all`, `--kind` and `--tag`, as the memory takes them. */
export function readFilters({ io }: CommandContext, options: OptionValues, command: string): JsonObject {
  const project = options.text('project')
  if (project !== undefined && options.flag('all')) {
    throw new UsageError('--project is one project, and --all is every one: give one of them.', { command })
  }
  return {
    ...(project === undefined ? {} : { project: resolve(io.cwd, project) }),
    ...(options.flag('all') ? { all: true } : {}),
    kinds: [...options.list('kind')],
    tags: [...options.list('tag')],
  }
}

export function readLimit(options: OptionValues, command: string, fallback: number): number {
  const text = options.text('limit')
  if (text === undefined) return fallback
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST) return Number(text)
  throw new UsageError(`--limit must be a number from 1 to ${MOST}, not "${text}".`, { command })
}
