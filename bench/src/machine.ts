/** What has to be known of a machine to make sense of numbers measured on it. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface MachineFacts {
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly platform: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
}

export function describeMachine(): MachineFacts {
  return {
    date: new Date().toISOString(),
    commit: describeCommit(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
}

/** One, five and fifteen minutes. Always zero on Windows. */
export function describeLoad(): string {
  return loadavg()
    .map((value) => value.toFixed(2))
    .join(' ')
}

export function describeCommit(cwd = fileURLToPath(new URL('.', import.meta.url))): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--', ':/packages', ':/bench/src') === '' ? '' : ' with changes'
    return `${git('rev-parse', '--short', 'HEAD')}${changed}`
  } catch {
    return 'unknown'
  }
}
