/** A tool that a person calls from the page: by the same way as `switchboard call`, and with the same rights. */
import { createInstanceId, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { fromToolErrorResult, SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { DASHBOARD_CLIENT, IPC_VERSION } from '@switchboard/protocol/ipc'
import { openMemoryLine } from '../control/open-memory-line.ts'
import type { SwitchboardControl } from '../control/switchboard-control.ts'
import { McpLine } from '../ipc/mcp-line.ts'
import { showText } from './shown-json.ts'
import type { DashboardCallAnswer, DashboardFailure } from './wire.ts'

const MOST_OF_RESULT = 200_000
const MOST_TEXTS = 50
const MOST_PICTURES = 8
/** Of one, as it is written. */
const MOST_OF_PICTURE = 4_000_000
const PICTURES: readonly unknown[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export interface AskedCall {
  readonly tool: string
  readonly args: JsonObject
  readonly version: string
  readonly signal: AbortSignal
}

/** A failure of the tool is an answer too. */
export async function callTool(control: SwitchboardControl, asked: AskedCall): Promise<DashboardCallAnswer> {
  const begun = performance.now()
  const durationMs = (): number => Math.round((performance.now() - begun) * 10) / 10
  try {
    const result = await request(control, asked)
    const failure = fromToolErrorResult(result)
    if (failure !== undefined) return { durationMs: durationMs(), error: toFailure(failure) }
    return {
      durationMs: durationMs(),
      isError: result.isError === true,
      texts: readTexts(result),
      pictures: readPictures(result),
      result: showText(JSON.stringify(result, undefined, 2), MOST_OF_RESULT),
    }
  } catch (thrown) {
    return { durationMs: durationMs(), error: toFailure(toSwitchboardError(thrown)) }
  }
}

export function toFailure({ code, message, hint }: SwitchboardError): DashboardFailure {
  return { code, message, hint }
}

async function request(control: SwitchboardControl, { tool, args, version, signal }: AskedCall): Promise<JsonObject> {
  const stream = await openMemoryLine(control, {
    protocol: IPC_VERSION,
    role: 'command',
    instance: createInstanceId(),
    pid: process.pid,
    version,
  })
  const line = await McpLine.open(
    stream,
    {
      clientInfo: { name: DASHBOARD_CLIENT, version },
      // What a server asks in the middle of a call is declined: there is nobody at this end who would be shown it.
      capabilities: {},
      ask: () => Promise.reject(new SwitchboardError('unknown_method', 'The dashboard answers no questions')),
    },
    signal,
  )
  try {
    return await line.request('tools/call', { name: tool, arguments: args }, { signal })
  } finally {
    void line.close()
  }
}

function readPictures({ content }: JsonObject): { dataUrl: string }[] {
  if (!Array.isArray(content)) return []
  return content
    .flatMap((part) => {
      const { type, mimeType, data } = isJsonObject(part) ? part : {}
      if (type !== 'image' || !PICTURES.includes(mimeType) || typeof data !== 'string') return []
      const isPlain = data.length <= MOST_OF_PICTURE && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
      return isPlain ? [{ dataUrl: `data:${mimeType};base64,${data}` }] : []
    })
    .slice(0, MOST_PICTURES)
}

function readTexts({ content }: JsonObject): string[] {
  if (!Array.isArray(content)) return []
  return content
    .slice(0, MOST_TEXTS)
    .flatMap((part) => (isJsonObject(part) && typeof part.text === 'string' ? [part.text] : []))
}
