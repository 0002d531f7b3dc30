/**
 * A finished span as it is sent. Here everything is masked and cut that somebody else has written: names of tools, addresses,
 * messages of errors. It is done when the batch is made, so that no call waits for it.
 */
import { readTraceparent, type SpanAttributes } from '@switchboard/protocol/tracing'
import { maskSecrets } from '../../masking/mask-secrets.ts'
import { maskText } from '../../masking/mask-text.ts'
import { type KeyValue, SPAN_KIND, type SpanMessage, STATUS_ERROR, toKeyValues, toUnixNano } from './encode/messages.ts'
import type { RecordedSpan } from './recorded-span.ts'
import type { WallClock } from './wall-clock.ts'

const MOST_TEXT = 1_000
const MOST_NAME = 200
const MOST_CONTENT = 8_000

/** W3C: the flags of a trace, and that it is known whether the parent is another process, and that it is one. */
const SAMPLED = 0x01
const KNOWS_REMOTE = 0x100
const IS_REMOTE = 0x200

export function createSpanMessage(span: RecordedSpan, clock: WallClock): SpanMessage {
  const { start, failure, ended = span.begun } = span
  const { traceId, parentId, tracestate, isParentRemote } = start
  const nano = (at: number): string => toUnixNano(clock.toEpoch(at))
  return {
    traceId,
    spanId: span.spanId,
    ...(tracestate === undefined || maskText(tracestate) !== tracestate ? {} : { traceState: tracestate }),
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    flags: SAMPLED | KNOWS_REMOTE | (isParentRemote ? IS_REMOTE : 0),
    name: cut(span.name, MOST_NAME),
    kind: SPAN_KIND[start.kind],
    startTimeUnixNano: nano(span.begun),
    endTimeUnixNano: nano(ended),
    attributes: [
      ...readAttributes(span.attributes),
      ...toKeyValues({ ...(failure && { 'error.type': cut(failure.code, MOST_NAME) }), ...readContent(span) }),
    ],
    events: span.moments.map(({ name, at, attributes }) => ({
      timeUnixNano: nano(at),
      name: cut(name, MOST_NAME),
      attributes: readAttributes(attributes),
    })),
    links: span.links.flatMap(createLink),
    status: failure === undefined ? {} : { code: STATUS_ERROR, message: cut(failure.message, MOST_TEXT) },
  }
}

function readAttributes(attributes: SpanAttributes): KeyValue[] {
  return toKeyValues(attributes, (text) => cut(text, MOST_TEXT))
}

/** The text is masked before it is cut: half a secret is no longer known for one. */
function cut(text: string, most: number): string {
  const masked = maskText(text)
  return masked.length <= most ? masked : `${masked.slice(0, most - 1)}…`
}

function readContent({ content }: RecordedSpan): SpanAttributes {
  if (content === undefined) return {}
  const write = (value: unknown): string | undefined =>
    value === undefined ? undefined : (JSON.stringify(maskSecrets(value))?.slice(0, MOST_CONTENT) ?? undefined)
  return {
    'gen_ai.tool.call.arguments': write(content.arguments),
    'gen_ai.tool.call.result': write(content.result),
  }
}

function createLink(traceparent: string): { traceId: string; spanId: string; flags: number }[] {
  const other = readTraceparent(traceparent)
  if (other === undefined) return []
  const { traceId, spanId, isSampled } = other
  return [{ traceId, spanId, flags: isSampled ? SAMPLED : 0 }]
}
