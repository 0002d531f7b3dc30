/** Switchboard's own tools where no daemon runs: they see this command's servers, and the logs and modes of the home. */
import { BuiltinProvider, createOwnContent, listOwnTools, Modes } from '@switchboard/daemon'
import type { ServerStatus, SwitchboardConfig } from '@switchboard/pool'
import {
  type Call,
  type Caller,
  type CallToolResult,
  createTraceId,
  type JsonObject,
  OWN_PROVIDER,
  type SwitchboardError,
  toSwitchboardError,
} from '@switchboard/protocol'
import { type AuditTrail, summarizeParams } from '@switchboard/telemetry'
import type { CommandContext } from '../context/command-context.ts'
import { VERSION } from '../version.ts'
import type { BackendCallOptions, BackendTool } from './backend.ts'

export interface OwnToolsOptions {
  readonly context: CommandContext
  readonly config: SwitchboardConfig
  readonly trail: AuditTrail
  servers(): readonly ServerStatus[]
}

export class OwnTools {
  readonly provider: BuiltinProvider
  readonly #options: OwnToolsOptions
  readonly #modes: Modes

  constructor(options: OwnToolsOptions) {
    const { context, config } = options
    const { modes, gateway } = config
    this.#options = options
    this.#modes = new Modes({
      directory: context.home.modes,
      log: context.log,
      modes,
      modeForHttp: gateway.modeForHttp,
    })
    this.provider = new BuiltinProvider(this.#createContent())
  }

  list(): BackendTool[] {
    return listOwnTools(this.provider)
  }

  has(name: string): boolean {
    return this.provider.catalog().tools.some((tool) => tool.name === name)
  }

  async call(
    name: string,
    args: JsonObject,
    caller: Pick<Caller, 'capabilities' | 'clientInfo'>,
    { signal, ask }: BackendCallOptions,
  ): Promise<CallToolResult> {
    const { inst } = this.#options.context
    const call: Call = {
      id: '1',
      traceId: createTraceId(),
      caller: { ...caller, era: 'legacy', instance: inst },
      signal,
      ask,
    }
    const begun = performance.now()
    try {
      const result = await this.provider.request('tools/call', { name, arguments: args }, call)
      this.#audit(name, args, call, begun, undefined)
      // Our own tools answer in that shape.
      return result as unknown as CallToolResult
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      this.#audit(name, args, call, begun, error)
      throw error
    }
  }

  async reconfigure({ modes, gateway }: SwitchboardConfig): Promise<void> {
    await this.#modes.reconfigure({ modes, modeForHttp: gateway.modeForHttp })
    this.provider.update(this.#createContent())
  }

  close(): void {
    this.#modes.close()
  }

  #createContent() {
    const { context, servers } = this.#options
    return createOwnContent({
      version: VERSION,
      servers,
      daemon: () => undefined,
      log: context.log,
      logsDirectory: context.home.logs,
      modes: this.#modes,
    })
  }

  #audit(tool: string, args: JsonObject, call: Call, begun: number, error: SwitchboardError | undefined): void {
    this.#options.trail.record({
      trace_id: call.traceId,
      session: null,
      caller: call.caller.clientInfo?.name ?? null,
      tool,
      provider: OWN_PROVIDER,
      params_summary: summarizeParams(args),
      outcome: error === undefined ? 'ok' : error.code === 'cancelled' ? 'cancelled' : 'error',
      ...(error === undefined ? {} : { code: error.code }),
      duration_ms: Math.round(performance.now() - begun),
      bytes: 0,
    })
  }
}
