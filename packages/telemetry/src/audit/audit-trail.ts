/** Who called what, and how it ended: one entry per tool call, in a file per instance, apart from the logs. */
import { type Clock, systemClock } from '@switchboard/base'
import { type AppendNotice, AppendWriter, type AppendWriterOptions } from '../append/append-writer.ts'
import type { FileNameParts } from '../append/rotated-file.ts'
import { formatTimestamp } from '../days.ts'
import { toFileName } from '../logging/log-file-name.ts'
import { cleanText } from '../masking/mask-text.ts'

export interface AuditEntry {
  /** When the call ended. Default: now. */
  readonly ts?: string
  /** Default: the instance of the trail. */
  readonly inst?: string | undefined
  readonly trace_id: string
  /** Null where there is none (modern era). */
  readonly session: string | null
  /** The client as it names itself. */
  readonly caller: string | null
  /** The name as the agent called it. */
  readonly tool: string
  readonly provider: string
  /** From `summarizeParams`. */
  readonly params_summary: string
  readonly outcome: 'ok' | 'error' | 'cancelled' | (string & {})
  /** Of the error, from the catalogue. */
  readonly code?: string | undefined
  readonly duration_ms: number
  /** Since it came in: when it began to wait for its turn or its server. Absent: it did not have to. */
  readonly queued_ms?: number | undefined
  /** When it was sent to its server, and when the answer came. Absent: it never was, or it runs in the daemon itself. */
  readonly sent_ms?: number | undefined
  readonly answered_ms?: number | undefined
  /** Of the answer. */
  readonly bytes: number
}

export interface AuditTrail {
  /** Never throws, never waits. A function is called a moment later, when the answer is on its way; `ts` is still now. */
  record(entry: AuditEntry | (() => AuditEntry)): void
  flush(): Promise<void>
  close(): Promise<void>
}

export interface AuditTrailOptions extends Omit<AppendWriterOptions, 'file'> {
  /** `<home>/traces`. */
  readonly directory: string
  readonly inst: string
  /** Full days kept besides today. Default 30: an audit is asked for later than a log. */
  readonly keepDays?: number
}

const AUDIT_KEEP_DAYS = 30
/** Of one instance: whoever floods it away leaves a notice in its place. */
const AUDIT_KEEP_BYTES = 1024 * 1024 * 1024

export function createAuditTrail(options: AuditTrailOptions): AuditTrail {
  const { inst } = options
  const clock: Clock = options.clock ?? systemClock
  const writer = new AppendWriter(
    { keepDays: AUDIT_KEEP_DAYS, keepBytes: AUDIT_KEEP_BYTES, ...options, file: `${toFileName(inst)}.jsonl` },
    { describe: (notice) => describeNotice(notice, inst, clock), isSibling: isAuditFile },
  )
  return {
    record(entry) {
      const time = clock.wallTime()
      writer.appendLater(() => describeEntry(typeof entry === 'function' ? entry() : entry, inst, time), time)
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  }
}

/** Throws when it cannot be written as JSON, which must not fail the call that it is about. */
function describeEntry(entry: AuditEntry, inst: string, time: number): string {
  const { ts, inst: own, trace_id, session, caller, tool, provider, params_summary, outcome, code } = entry
  return JSON.stringify({
    ts: ts ?? formatTimestamp(time),
    inst: own ?? inst,
    trace_id,
    session,
    caller,
    tool: cleanText(tool, 200),
    provider,
    params_summary: cleanText(params_summary),
    outcome,
    // What is undefined is left out, here and below.
    code,
    duration_ms: entry.duration_ms,
    queued_ms: entry.queued_ms,
    sent_ms: entry.sent_ms,
    answered_ms: entry.answered_ms,
    bytes: entry.bytes,
  })
}

/** Missing entries must show in the trail itself, or it claims a completeness that it has not. */
function describeNotice(notice: AppendNotice, inst: string, clock: Clock): string {
  const ts = formatTimestamp(clock.wallTime())
  const { kind, ...details } = notice
  return JSON.stringify({ ts, inst, outcome: `trail_${kind}`, ...details })
}

function isAuditFile(parts: FileNameParts): boolean {
  return parts.extension === '.jsonl' && /^(?:daemon|[0-9a-z]{4}-[0-9a-f]{6})$/.test(parts.base)
}
