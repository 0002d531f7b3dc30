import type { CapturedEventType, SessionCapture } from './session-capture.ts'

export interface TimelineEntry {
  readonly seq: number
  readonly at: number
  readonly type: CapturedEventType | 'output'
  readonly text: string
}

/** Events and lines in their order. `summary`: neighbouring lines are one entry; `milestones`: none. */
export function buildTimeline(capture: SessionCapture, granularity: 'all' | 'summary' | 'milestones'): TimelineEntry[] {
  const events: TimelineEntry[] = capture.events()
  if (granularity === 'milestones') return events.filter(({ type }) => type !== 'continued' && type !== 'thread')
  const lines = capture.lines().map(({ seq, at, text }) => ({ seq, at, type: 'output' as const, text }))
  const all = [...events, ...lines].sort((a, b) => a.seq - b.seq)
  return granularity === 'all' ? all : joinRuns(all)
}

function joinRuns(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const joined: TimelineEntry[] = []
  let run: TimelineEntry[] = []
  const finish = () => {
    const [first] = run
    if (first !== undefined && run.length === 1) joined.push(first)
    else if (first !== undefined) joined.push({ ...first, text: `${run.length} lines, the first: ${first.text}` })
    run = []
  }
  for (const entry of entries) {
    if (entry.type === 'output') {
      run.push(entry)
      continue
    }
    finish()
    joined.push(entry)
  }
  finish()
  return joined
}
