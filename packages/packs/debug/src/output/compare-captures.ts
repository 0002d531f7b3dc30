import { buildTimeline } from './build-timeline.ts'
import { findExceptions } from './find-exceptions.ts'
import type { SessionCapture } from './session-capture.ts'
import { summarizeCapture } from './summarize-capture.ts'

export interface Difference {
  readonly what: string
  readonly a?: string
  readonly b?: string
}

export type CompareBy = 'counts' | 'exceptions' | 'timeline' | 'outputs'

export function compareCaptures(a: SessionCapture, b: SessionCapture, by: CompareBy): Difference[] {
  switch (by) {
    case 'counts':
      return compareCounts(a, b)
    case 'exceptions':
      return compareSequences(exceptionTexts(a), exceptionTexts(b), 'exception')
    case 'timeline':
      return compareSequences(milestoneTexts(a), milestoneTexts(b), 'event')
    case 'outputs':
      return compareSequences(lineTexts(a), lineTexts(b), 'line')
  }
}

function compareCounts(a: SessionCapture, b: SessionCapture): Difference[] {
  const left = summarizeCapture(a)
  const right = summarizeCapture(b)
  const names = ['stdout', 'stderr', 'console', 'bytes', 'exceptions', 'stops', 'exitCode'] as const
  return names
    .filter((name) => left[name] !== right[name])
    .map((name) => ({ what: name, a: String(left[name] ?? '-'), b: String(right[name] ?? '-') }))
}

/** Position by position: the first difference is what one looks for; how the rest lines up matters less. */
function compareSequences(a: readonly string[], b: readonly string[], what: string): Difference[] {
  const differences: Difference[] = []
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index]
    const right = b[index]
    if (left === right) continue
    differences.push({
      what: `${what} ${index + 1}`,
      ...(left === undefined ? {} : { a: left }),
      ...(right === undefined ? {} : { b: right }),
    })
  }
  return differences
}

function exceptionTexts(capture: SessionCapture): string[] {
  return findExceptions(capture).map(({ type, message }) => `${type}: ${message}`)
}

function milestoneTexts(capture: SessionCapture): string[] {
  return buildTimeline(capture, 'milestones')
    .filter(({ type }) => type !== 'started')
    .map(({ type, text }) => `${type} ${text}`.trimEnd())
}

function lineTexts(capture: SessionCapture): string[] {
  return capture.lines().map(({ text }) => text)
}
