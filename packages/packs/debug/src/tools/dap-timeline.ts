import { type ToolContext, ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { DapTimelineData, DapTimelineParams } from '../generated/types.ts'
import { buildTimeline } from '../output/build-timeline.ts'
import { noteDropped, type OutputHost, selectCapture, showOffset, showSession } from '../output/select-capture.ts'

export function run(
  { sessionId, eventTypes, window, granularity, fromEnd }: DapTimelineParams,
  { host, call }: ToolContext<OutputHost>,
): ToolOutcome<DapTimelineData> {
  const capture = selectCapture(host, call, sessionId)
  const entries = buildTimeline(capture, granularity)
  const end = capture.endedAt ?? entries.at(-1)?.at ?? capture.startedAt
  const wanted = entries.filter(
    ({ type, at }) =>
      (eventTypes === undefined || eventTypes.some((name) => name === type)) &&
      (window === undefined || (fromEnd ? at >= end - window : at <= capture.startedAt + window)),
  )
  if (wanted.length === 0)
    throw new ToolError('E_NO_EVENTS', `No event of session ${capture.id} is of that kind and time`)
  const timeline = wanted.map(({ at, type, text }) => ({
    ts: at,
    relativeTime: showOffset(at - capture.startedAt),
    type,
    text,
  }))
  const data = {
    timeline,
    milestones: wanted.filter(({ type }) => type !== 'output').length,
    duration: end - capture.startedAt,
    eventCount: timeline.length,
    session: { ...showSession(capture) },
  }
  const lines = timeline.map(({ relativeTime, type, text }) => `${relativeTime} ${type} ${text}`.trimEnd())
  return { data, text: lines.join('\n') + noteDropped(capture) }
}
