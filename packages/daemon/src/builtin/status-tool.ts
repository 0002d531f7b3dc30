/** `switchboard_status`: what an agent may know of the whole: servers, itself, and how many windows there are besides. */
import type { ServerStatus } from '@switchboard/pool'
import type { Call, JsonObject } from '@switchboard/protocol'
import { maskText } from '@switchboard/telemetry'
import type { OwnTool, OwnToolResult } from './own-tool.ts'

export interface StatusToolOptions {
  readonly version: string
  servers(): readonly ServerStatus[]
  /** Undefined: this runs without a daemon. */
  daemon(): JsonObject | undefined
  /** Windows that are connected here besides the caller's. */
  otherWindows(instance: string | undefined): number
  /** Null: none is set. Undefined: none are configured. */
  mode(instance: string | undefined): string | null | undefined
}

export function createStatusTool(options: StatusToolOptions): OwnTool {
  return {
    definition: {
      name: 'switchboard_status',
      title: 'Show the servers',
      description: 'The state of every MCP server behind Switchboard, why one is down, and who this session is.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: (_args, call) => describeStatus(options, call),
  }
}

function describeStatus(options: StatusToolOptions, { caller }: Call): OwnToolResult {
  const { instance, profile, workspace, era } = caller
  // Of a private server only the caller's own is its business.
  const servers = options.servers().filter(({ owner }) => owner === undefined || owner === instance)
  const mode = options.mode(instance)
  const daemon = options.daemon()
  const windows = options.otherWindows(instance)
  const others = `${windows} other ${windows === 1 ? 'window' : 'windows'}`
  return {
    text: [
      `Switchboard ${options.version}, ${daemon === undefined ? 'without a daemon' : `daemon pid ${String(daemon.pid)}`}; ${others}`,
      `This session: ${instance === undefined ? 'over HTTP' : instance}${mode === undefined ? '' : `, mode ${mode ?? 'not set'}`}`,
      ...(servers.length === 0 ? ['No servers are configured.'] : servers.map(formatServer)),
    ].join('\n'),
    data: {
      version: options.version,
      daemon: daemon ?? null,
      servers: servers.map(describeServer),
      instance: {
        id: instance ?? null,
        ...(profile === undefined ? {} : { profile }),
        era,
        ...(workspace === undefined ? {} : { workspace }),
        ...(mode === undefined ? {} : { mode }),
      },
      other_windows: windows,
    },
  }
}

function describeServer(server: ServerStatus): JsonObject {
  const { name, state, era, uptimeMs, restarts, nextAttemptInMs, reason, install, tools, inFlight, queued } = server
  return {
    name,
    state,
    tools,
    restarts,
    in_flight: inFlight,
    queued,
    ...(era === undefined ? {} : { era }),
    ...(uptimeMs === undefined ? {} : { uptime_ms: uptimeMs }),
    ...(nextAttemptInMs === undefined ? {} : { next_attempt_in_ms: nextAttemptInMs }),
    ...(reason === undefined ? {} : { reason: maskText(reason) }),
    ...(install === undefined ? {} : { install }),
  }
}

function formatServer({ name, state, tools, reason }: ServerStatus): string {
  const why = reason === undefined ? '' : `: ${maskText(reason)}`
  return `- ${name}: ${state}, ${tools} ${tools === 1 ? 'tool' : 'tools'}${why}`
}
