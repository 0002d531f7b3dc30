/** What is told of an index, besides what was found in it. */
import type { Space } from '@switchboard/store'
import type { Project } from '../projects/projects.ts'
import { INDEX_KIND, type IndexRecord, toIndexRecord } from './code-items.ts'
import type { IndexOutcome, IndexProgress } from './index-run.ts'

export interface IndexState {
  /** interrupted: it was stopped, or the daemon ended, before it was through. */
  readonly state: 'none' | 'building' | 'interrupted' | 'complete'
  readonly files: number
  /** Milliseconds since 1970. */
  readonly finishedAt: number | undefined
  readonly progress: IndexProgress | undefined
}

/** More folders of one project nobody indexes one by one. */
const MAX_FOLDERS = 100
const SHOWN_SKIPPED = 8

const REASONS: Readonly<Record<string, string>> = {
  binary: 'no text',
  too_large: 'larger than maxFileSize',
  minified: 'written by a program',
  unreadable: 'not readable',
  link: 'links',
  not_plain: 'no plain files',
  default: 'left out by default',
  changed: 'changed meanwhile',
  too_long_path: 'too long paths',
}

/** Of the folder, by the run that is at work or by what the last one has left. */
export async function readIndexState(
  files: Space,
  { scope }: Project,
  folder: string,
  progress: IndexProgress | undefined,
): Promise<IndexState> {
  const { items } = await files.list({ scopes: [scope], kinds: [INDEX_KIND], sortBy: 'updatedAt', limit: MAX_FOLDERS })
  const records = items.map(toIndexRecord).filter((record) => isAbout(record, folder))
  // One of all of it says more than one of a part.
  const record = records.find((one) => isInside(folder, one.folder)) ?? records[0]
  if (progress !== undefined) return { state: 'building', files: record?.files ?? 0, finishedAt: undefined, progress }
  if (record === undefined) return { state: 'none', files: 0, finishedAt: undefined, progress }
  const state = record.state === 'complete' ? 'complete' : 'interrupted'
  return { state, files: record.files, finishedAt: record.finishedAt, progress }
}

const isAbout = (record: IndexRecord, folder: string): boolean =>
  isInside(record.folder, folder) || isInside(folder, record.folder)

const isInside = (folder: string, outer: string): boolean =>
  outer === '' || folder === outer || folder.startsWith(`${outer}/`)

const callOf = (path: string): string => `index_repository {"path": ${JSON.stringify(path)}}`

export const describeChange = (path: string): string => `${callOf(path)} takes in what has changed.`

/** Undefined: it is whole and young, and nothing has to be said. */
export function describeState(
  { state, progress, finishedAt }: IndexState,
  path: string,
  now: number,
): string | undefined {
  const call = callOf(path)
  if (state === 'none') return `Nothing of ${path} is indexed yet: ${call}.`
  if (state === 'building') {
    const { seen = 0, total = 0 } = progress ?? {}
    return `The index is being built (${seen} of ${total === 0 ? '?' : total} files): more may be found in a moment.`
  }
  if (state === 'interrupted') return `The index is not complete: ${call} goes on where it was stopped.`
  const age = now - (finishedAt ?? now)
  return age < 3_600_000 ? undefined : `Indexed ${formatAge(age)} ago: ${call} takes in what is new.`
}

function formatAge(ms: number): string {
  const hours = Math.round(ms / 3_600_000)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

export function describeOutcome(outcome: IndexOutcome, root: string): string {
  const { files, stored, unchanged, removed, chunks, isComplete, seen, total, scan } = outcome
  const lines = [
    isComplete
      ? `${files} files of ${root} are indexed: ${stored} read (${chunks} pieces), ${unchanged} as they were, ${removed} gone.`
      : `Stopped after ${seen} of ${total} files of ${root}; what is done is kept. Call again to go on.`,
  ]
  const skipped = Object.entries(scan?.skippedByReason ?? {}).map(
    ([reason, count]) => `${count} ${REASONS[reason] ?? reason}`,
  )
  if (skipped.length > 0) {
    const named = (scan?.skipped ?? []).slice(0, SHOWN_SKIPPED).map(({ path }) => JSON.stringify(path))
    const all = Object.values(scan?.skippedByReason ?? {}).reduce((sum, count) => sum + count, 0)
    lines.push(`Left out: ${skipped.join(', ')}: ${named.join(', ')}${all > named.length ? ' …' : ''}.`)
  }
  const plain = scan?.withoutSyntax ?? []
  if (plain.length > 0) {
    const named = plain.slice(0, SHOWN_SKIPPED).map(({ path, failure }) => `${JSON.stringify(path)} (${failure})`)
    lines.push(`Read by blank lines, not by syntax: ${named.join(', ')}${plain.length > named.length ? ' …' : ''}.`)
  }
  if (isComplete) {
    lines.push(
      files === 0
        ? 'Nothing can be found in it: give other includePatterns and excludePatterns, or another path.'
        : 'repository_search finds in it.',
    )
  }
  return lines.join('\n')
}
