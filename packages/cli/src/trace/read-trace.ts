/** One call's whole way, by what a person types of its trace id. */
import { readTraceId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { type AuditLine, findTraces, readAudit, type Trace, type TracePlaces } from '@switchboard/telemetry'
import { UsageError } from '../command-line/usage-error.ts'

const FULL_LENGTH = 32
const LEAST_PREFIX = 4
const RECENT = 5

/** `text`: a trace id, the beginning of one, or a whole `traceparent`. */
export async function readTrace(text: string, places: TracePlaces): Promise<Trace> {
  const wanted = parseId(text)
  const { ids, calls, steps } = await findTraces(wanted, places)
  const [id, other] = ids
  if (id === undefined) throw await createUnknownError(wanted, places)
  if (other !== undefined) throw createAmbiguousError(wanted, calls, ids)
  return { trace_id: id, calls, steps }
}

function parseId(text: string): string {
  const id = readTraceId(text) ?? text.trim().toLowerCase()
  if (/^[0-9a-f]+$/.test(id) && id.length >= LEAST_PREFIX && id.length <= FULL_LENGTH) return id
  throw new UsageError(`"${text}" is no trace id.`, {
    command: 'trace',
    hint: `Write its 32 hex digits, or at least the first ${LEAST_PREFIX}; switchboard trace --last lists recent ones.`,
  })
}

async function createUnknownError(wanted: string, { traces }: TracePlaces): Promise<SwitchboardError> {
  const recent = await readAudit({ directory: traces, limit: RECENT })
  const list = recent.map(({ trace_id, tool }) => `${trace_id.slice(0, 8)} (${tool})`).reverse()
  return new UsageError(`No call with the trace id ${wanted} is known.`, {
    command: 'trace',
    hint:
      list.length === 0
        ? 'No call was recorded yet in this home; switchboard logs shows what was logged.'
        : `The last ones are ${list.join(', ')}; switchboard logs --grep ${wanted} searches all text.`,
  })
}

function createAmbiguousError(wanted: string, calls: readonly AuditLine[], ids: readonly string[]): SwitchboardError {
  const list = ids.slice(0, RECENT).map((id) => {
    const tool = calls.find((call) => call.trace_id === id)?.tool
    return tool === undefined ? id : `${id} (${tool})`
  })
  return new UsageError(`${ids.length} trace ids begin with ${wanted}.`, {
    command: 'trace',
    hint: `Write more of it: ${list.join(', ')}${ids.length > list.length ? ' …' : ''}`,
  })
}
