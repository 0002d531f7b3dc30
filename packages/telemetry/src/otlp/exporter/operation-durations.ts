/** How long requests took that came to us, and that we made: the histograms that the conventions for MCP name. */

import { maskText } from '../../masking/mask-text.ts'
import type { Metric } from '../../metrics/format-metrics.ts'
import { Histogram } from '../../metrics/histogram.ts'
import type { RecordedSpan } from './recorded-span.ts'

/** Seconds; as the conventions advise. */
const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** Only what has few values: no ids, no addresses of resources, no sessions. */
const LABELS = [
  'mcp.method.name',
  'gen_ai.operation.name',
  'gen_ai.tool.name',
  'gen_ai.prompt.name',
  'mcp.protocol.version',
  'network.transport',
  'network.protocol.name',
  'rpc.response.status_code',
  'switchboard.provider',
  'server.address',
  'server.port',
] as const

const NAMES = { server: 'mcp.server.operation.duration', client: 'mcp.client.operation.duration' } as const
const HELP = {
  server: 'How long requests of agents took, from their arrival to the answer.',
  client: 'How long servers took to answer our requests.',
} as const

/** A server may have any number of tools, and a caller may call anything: beyond so many series all others are one. */
const MOST_SERIES = 1_000
const MOST_LABEL = 200
const OVERFLOW = { 'otel.metric.overflow': 'true' }

interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly durations: Histogram
}

export class OperationDurations {
  readonly #series = { server: new Map<string, Series>(), client: new Map<string, Series>() }

  observe(span: RecordedSpan): void {
    const { kind } = span.start
    if (kind === 'internal' || span.ended === undefined) return
    this.#find(kind, span).durations.observe((span.ended - span.begun) / 1000)
  }

  collect(): Metric[] {
    return (['server', 'client'] as const).map((kind) => ({
      name: NAMES[kind],
      help: HELP[kind],
      type: 'histogram',
      samples: [...this.#series[kind].values()].flatMap(({ labels, durations }) => durations.samples(labels)),
    }))
  }

  #find(kind: 'server' | 'client', { attributes, failure }: RecordedSpan): Series {
    let key = failure?.code ?? ''
    for (const label of LABELS) key += `\0${attributes[label] ?? ''}`
    const known = this.#series[kind]
    const series = known.get(key)
    if (series !== undefined) return series
    const isFull = known.size >= MOST_SERIES
    const opened = (isFull ? known.get('') : undefined) ?? {
      labels: isFull ? OVERFLOW : readLabels(attributes, failure?.code),
      durations: new Histogram(BOUNDS),
    }
    known.set(isFull ? '' : key, opened)
    return opened
  }
}

function readLabels(attributes: RecordedSpan['attributes'], failure: string | undefined): Record<string, string> {
  const labels: Record<string, string> = failure === undefined ? {} : { 'error.type': failure }
  for (const label of LABELS) {
    const value = attributes[label]
    // Once a series, and a method may be any text.
    if (value !== undefined) labels[label] = maskText(String(value)).slice(0, MOST_LABEL)
  }
  return labels
}
