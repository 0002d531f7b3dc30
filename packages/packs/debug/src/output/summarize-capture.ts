import { findExceptions } from './find-exceptions.ts'
import type { SessionCapture } from './session-capture.ts'

/** The numbers that several tools show or compare. */
export interface CaptureSummary {
  readonly stdout: number
  readonly stderr: number
  readonly console: number
  readonly lines: number
  readonly bytes: number
  readonly exceptions: number
  readonly stops: number
  /** Milliseconds; up to now while it runs. */
  readonly duration: number
  readonly exitCode: number | null | undefined
  readonly abnormalExit: boolean
}

export function summarizeCapture(capture: SessionCapture, now: number = Date.now()): CaptureSummary {
  const { lines, bytes, events } = capture.totals
  const { exitCode, error } = capture
  return {
    ...lines,
    lines: lines.stdout + lines.stderr + lines.console,
    bytes,
    exceptions: findExceptions(capture).length,
    stops: events.stopped ?? 0,
    duration: (capture.endedAt ?? now) - capture.startedAt,
    exitCode,
    abnormalExit: error !== undefined || (exitCode !== undefined && exitCode !== 0),
  }
}

export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000
}
