/**
 * Exports as bytes. A batch of spans is written in slices with turns of the event loop between, so that no call waits for a whole
 * one: pieces of protobuf of one type are one message when they stand behind each other, and lists of JSON can be joined.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MetricMessage, ResourceMessage, ScopeMessage, SpanMessage } from './messages.ts'
import { writeProtobuf } from './write-protobuf.ts'

export type Format = 'protobuf' | 'json'

const SLICE = 64

/** Of one process: the daemon, or a front. */
export interface SpanGroup<T> {
  readonly resource: ResourceMessage
  readonly spans: readonly T[]
}

export async function encodeSpans<T>(
  groups: readonly SpanGroup<T>[],
  { scope, format, write }: { scope: ScopeMessage; format: Format; write(span: T): SpanMessage },
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const { resource, spans } of groups) {
    for (let at = 0; at < spans.length; at += SLICE) {
      if (pieces.length > 0) await nextTurn()
      const resourceSpans = [{ resource, scopeSpans: [{ scope, spans: spans.slice(at, at + SLICE).map(write) }] }]
      pieces.push(
        format === 'protobuf'
          ? writeProtobuf('TracesRequest', { resourceSpans })
          : Buffer.from(JSON.stringify(resourceSpans).slice(1, -1)),
      )
    }
  }
  if (format === 'protobuf') return Buffer.concat(pieces)
  const joined = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]))
  return Buffer.concat([OPENING, ...joined, CLOSING])
}

const OPENING = Buffer.from('{"resourceSpans":[')
const COMMA = Buffer.from(',')
const CLOSING = Buffer.from(']}')

export function encodeMetrics(
  metrics: readonly MetricMessage[],
  { resource, scope, format }: { resource: ResourceMessage; scope: ScopeMessage; format: Format },
): Buffer {
  const request = { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
  return format === 'protobuf' ? writeProtobuf('MetricsRequest', request) : Buffer.from(JSON.stringify(request))
}
