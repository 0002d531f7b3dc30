/** What the page may ask. A person's session may do what `switchboard`, the command, may; nothing here is for agents. */
import { createParamError, readChoice, readObject, readOptionalText, readText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { ERROR_CATALOGUE, SwitchboardError } from '@switchboard/protocol/errors'
import { findTraces, type LogLine, readAudit, readLogs } from '@switchboard/telemetry'
import { describeOwn } from '../control/control-methods.ts'
import type { SwitchboardControl } from '../control/switchboard-control.ts'
import type { DaemonStatus } from '../ipc/ipc-results.ts'
import type { AskedCommand } from '../packs/person-commands.ts'
import { findTool } from '../tools/find-tool.ts'
import { callTool } from './call-tool.ts'
import { toLatencyPoint } from './live-calls.ts'
import { findServer, readLogAsked, toCallRow, toLogFilters, toServerRow, toToolRow } from './rows.ts'
import type { CallRow, DashboardOverview, DashboardTool, DashboardTrace, HeldToolRow, LatencyPoint } from './wire.ts'

export interface DashboardHost {
  readonly control: SwitchboardControl
  readonly version: string
  readonly places: { readonly traces: string; readonly logs: string }
  status(): DaemonStatus
}

export type DashboardMethod = (params: JsonObject, signal: AbortSignal) => object | Promise<object>

const MOST_CALLS = 500
const MOST_LINES = 300
const HISTORY_CALLS = 3_000
const HISTORY_MS = 15 * 60_000
const STRETCH_MS = 5_000
/** A larger schema makes no form that a person would fill in. */
const MOST_SCHEMA_CHARACTERS = 256 * 1024
const LENS_COMMANDS = ['overview', 'conflicts', 'conflict', 'build'] as const
const MEMORY_COMMANDS = ['list', 'search', 'show', 'delete', 'count'] as const

export function createDashboardMethods(host: DashboardHost): Readonly<Record<string, DashboardMethod>> {
  const { control, places } = host
  const { pool } = control.switchboard
  return {
    overview: () => describeAll(host),
    server: (params) => {
      const name = readText(params, 'name', 'server')
      const owner = readOptionalText(params, 'owner', 'server')
      const server = findServer(control.switchboard.status(), name, owner)
      if (server !== undefined) return { server }
      const of = owner === undefined ? '' : ` of window ${owner.slice(0, 100)}`
      throw new SwitchboardError('unknown_server', `No server${of} is named "${name.slice(0, 100)}"`)
    },
    restart_server: (params) => {
      pool.restartServer(readText(params, 'server', 'restart_server'))
      return {}
    },
    tools: () => ({
      tools: [...pool.tools(), ...control.switchboard.ownTools].map(toToolRow),
      held: pool.heldTools().map(({ exposed, server, reason }): HeldToolRow => ({ name: exposed, server, reason })),
    }),
    trust: async (params, signal) => {
      const server = readText(params, 'server', 'trust')
      const answer = await askPack(host, { of: 'trust', command: 'list', params: { server, whole: true } }, signal)
      return { trust: Array.isArray(answer.servers) ? answer.servers[0] : undefined }
    },
    trust_accept: (params, signal) => askPack(host, { of: 'trust', command: 'accept', params }, signal),
    tool: async (params, signal) => ({ tool: await describeTool(control, readText(params, 'name', 'tool'), signal) }),
    call: (params, signal) =>
      callTool(control, {
        tool: readText(params, 'tool', 'call'),
        args: readObject(params, 'arguments', 'call'),
        version: host.version,
        signal,
      }),
    calls: async () => ({ calls: await readCalls(places.traces, MOST_CALLS) }),
    history: async (params) => ({
      points: await readHistory(places.traces, readOptionalText(params, 'server', 'history')),
    }),
    trace: async (params) => ({ trace: await readTrace(readText(params, 'id', 'trace'), host) }),
    logs: async (params, signal) => {
      const query = { directory: places.logs, limit: MOST_LINES, signal, ...toLogFilters(readLogAsked(params, 'logs')) }
      const lines: LogLine[] = []
      for await (const line of readLogs(query)) lines.push(line)
      return { lines }
    },
    memory: (params, signal) => {
      const command = readChoice(params, 'command', 'memory', MEMORY_COMMANDS, 'list')
      return askPack(
        host,
        { of: 'memory', command, params: { ...readObject(params, 'params', 'memory'), all: true } },
        signal,
      )
    },
    lens: (params, signal) => {
      const command = readChoice(params, 'command', 'lens', LENS_COMMANDS, 'overview')
      return askPack(host, { of: 'lens', command, params: readObject(params, 'params', 'lens') }, signal)
    },
  }
}

/** Of every project: a page stands in no folder. */
function askPack({ control }: DashboardHost, asked: AskedCommand, signal: AbortSignal): Promise<JsonObject> {
  return control.switchboard.runCommand(asked, { workspace: '/', signal, progress: () => undefined })
}

async function describeAll({ control, status }: DashboardHost): Promise<DashboardOverview> {
  const { daemon, configuration, profiles, modes, servers, instances } = status()
  const own = await describeOwn(control.switchboard)
  return { daemon, configuration, profiles, modes, servers: servers.map(toServerRow), instances, ...own }
}

async function describeTool(control: SwitchboardControl, name: string, signal: AbortSignal): Promise<DashboardTool> {
  const { switchboard, config } = control
  const finder = { pool: switchboard.pool, servers: config.servers, own: switchboard.ownTools }
  const tool = switchboard.describeOwnTool(name) ?? (await findTool(finder, { name, server: undefined }, signal))
  const schema = JSON.stringify(tool.inputSchema ?? {})
  const isSent = schema.length <= MOST_SCHEMA_CHARACTERS
  return {
    ...toToolRow(tool),
    description: tool.description ?? '',
    ...(isSent ? { schema } : {}),
    schemaBytes: schema.length,
  }
}

/** The newest first. */
async function readCalls(directory: string, limit: number): Promise<CallRow[]> {
  return (await readAudit({ directory, limit })).map(toCallRow).reverse()
}

/** What is known of the last minutes from the audit trail, so that a plot does not begin with nothing. */
async function readHistory(directory: string, server: string | undefined): Promise<LatencyPoint[]> {
  const now = Date.now()
  const lines = await readAudit({ directory, limit: HISTORY_CALLS })
  const recent = lines.flatMap(({ ts, provider, duration_ms }) => {
    const at = Date.parse(ts)
    return at > now - HISTORY_MS && (server === undefined || server === provider) ? [{ at, duration_ms }] : []
  })
  const stretches = Map.groupBy(recent, ({ at }) => Math.floor(at / STRETCH_MS))
  return [...stretches]
    .sort(([a], [b]) => a - b)
    .map(([stretch, calls]) =>
      toLatencyPoint(
        (stretch + 1) * STRETCH_MS,
        calls.map(({ duration_ms }) => duration_ms),
      ),
    )
}

async function readTrace(id: string, { places }: DashboardHost): Promise<DashboardTrace> {
  if (!/^[0-9a-f]{4,32}$/.test(id)) throw createParamError('trace', 'id', 'the hex digits of a trace id', id)
  const { ids, calls, steps } = await findTraces(id, places)
  const [one, other] = ids
  if (one === undefined || other !== undefined) {
    const what = one === undefined ? 'No call with this trace id is known' : `${ids.length} trace ids begin with this`
    throw new SwitchboardError('invalid_arguments', `${what}: ${id}`, { hint: 'The list of calls has the last ones.' })
  }
  const code = calls.find((call) => call.code !== undefined)?.code
  const entry = code === undefined ? undefined : findEntry(code)
  return {
    trace_id: one,
    calls,
    steps,
    ...(code === undefined || entry === undefined ? {} : { explanation: { code, when: entry.when, hint: entry.hint } }),
  }
}

function findEntry(code: string): { readonly when: string; readonly hint: string } | undefined {
  return Object.entries(ERROR_CATALOGUE).find(([name]) => name === code)?.[1]
}
