/**
 * May this caller call this tool, with these paths, in the mode it has declared? Owns the answers `mode_required` and
 * `mode_denied`; refuses nothing when no modes are configured.
 *
 * Bound: every instance of a front, by its own mode file, read at every call; and callers over HTTP, who have no instance,
 * by `gateway.modeForHttp`. Not bound: a person's command (transport `command`), and Switchboard's own tools, for they are
 * the way to a mode. Only tools: resources and prompts are read whatever the mode. Lists are the same in every mode.
 */
import type { Authorize } from '@switchboard/gateway'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createToolFilter, OWN_PROVIDER } from '@switchboard/protocol/naming'
import { findArgumentPaths, MAX_PATHS } from './argument-paths.ts'
import type { ModeConfig } from './mode-fields.ts'
import type { ModeRecord } from './mode-file.ts'
import { createLookBudget, type WritableRoots } from './writable-roots.ts'

type AuthorizedCall = Parameters<Authorize>[0]

export interface ModePolicyOptions {
  readonly modes: Readonly<Record<string, ModeConfig>>
  readonly modeForHttp: string | undefined
  readonly roots: WritableRoots
  /** The declared mode of an instance, as it is now. */
  readMode(instance: string): ModeRecord | undefined
}

interface Mode {
  readonly name: string
  readonly config: ModeConfig
  allows(tool: string): boolean
}

/** By which an agent declares a mode. */
export const SET_MODE_TOOL = 'mode_get_instructions'
/** Of what a client sent, in a message to it. */
const MAX_QUOTED = 200

export class ModePolicy {
  readonly #options: ModePolicyOptions
  readonly #modes: ReadonlyMap<string, Mode>

  constructor(options: ModePolicyOptions) {
    this.#options = options
    this.#modes = new Map(Object.entries(options.modes).map(([name, config]) => [name, createMode(name, config)]))
  }

  /** Throws `mode_required` or `mode_denied`. */
  authorize(call: AuthorizedCall): void {
    if (call.target.provider.name === OWN_PROVIDER || call.identity.transport === 'command') return
    const mode = this.#findMode(call)
    if (!mode.allows(call.tool.name)) throw this.#createToolDenied(mode, call)
    const { writable } = mode.config
    if (writable !== undefined && call.tool.annotations?.readOnlyHint !== true) this.#checkPaths(mode, writable, call)
  }

  #findMode(call: AuthorizedCall): Mode {
    const { instance } = call.identity
    if (instance === undefined) {
      const mode = this.#modes.get(this.#options.modeForHttp ?? '')
      if (mode === undefined) throw this.#createHttpRequired(call)
      return mode
    }
    const declared = this.#options.readMode(instance)?.mode ?? undefined
    const mode = declared === undefined ? undefined : this.#modes.get(declared)
    if (mode === undefined) throw this.#createRequired(call, instance, declared)
    return mode
  }

  #createRequired({ tool, view }: AuthorizedCall, instance: string, declared: string | undefined): SwitchboardError {
    const modes = [...this.#modes.keys()]
    const names = modes.join(', ')
    const setter = view.exposeTool(OWN_PROVIDER, SET_MODE_TOOL)
    const why =
      declared === undefined ? 'has declared no mode yet' : `has the mode "${declared}", which is not configured`
    const byPerson = `\`switchboard mode set ${instance} <mode>\``
    return new SwitchboardError(
      'mode_required',
      `${tool.name} needs a mode, and this instance ${why}. Modes: ${names}`,
      {
        hint:
          setter === undefined
            ? `This profile does not list ${SET_MODE_TOOL}; ask the person to run ${byPerson}.`
            : `Call ${setter} with the mode that fits your task, follow its instructions, then repeat the call.`,
        details: { instance, tool: tool.name, modes, ...(declared === undefined ? {} : { declared }) },
      },
    )
  }

  #createHttpRequired({ tool }: AuthorizedCall): SwitchboardError {
    const modes = [...this.#modes.keys()]
    return new SwitchboardError(
      'mode_required',
      `${tool.name} needs a mode, and a caller over HTTP has no instance that could declare one`,
      {
        hint: 'Connect through `switchboard mcp` (stdio), or let the person name a mode for HTTP callers with `gateway.modeForHttp`.',
        details: { tool: tool.name, modes },
      },
    )
  }

  #createToolDenied(mode: Mode, { tool, identity }: AuthorizedCall): SwitchboardError {
    const allowedBy = [...this.#modes.values()].filter((other) => other.allows(tool.name)).map(({ name }) => name)
    const change =
      identity.instance === undefined
        ? 'Callers over HTTP cannot change theirs: it is `gateway.modeForHttp` of the configuration.'
        : `Change with ${SET_MODE_TOOL} if the task is another one now; else use a tool that "${mode.name}" allows.`
    return new SwitchboardError('mode_denied', `The mode "${mode.name}" does not allow ${tool.name}`, {
      hint:
        allowedBy.length === 0
          ? 'No mode allows it. Use another tool, or ask the person to change the configuration.'
          : `Modes that allow it: ${allowedBy.join(', ')}. ${change}`,
      details: { mode: mode.name, tool: tool.name, allowedBy },
    })
  }

  #checkPaths(mode: Mode, writable: readonly string[], { tool, args, identity: { workspace } }: AuthorizedCall): void {
    const { roots } = this.#options
    const paths = findArgumentPaths(args, (text) => roots.isAbsolute(text))
    if (paths.length === 0) return
    const allowed = roots.resolveRoots(writable, workspace)
    const details = { mode: mode.name, tool: tool.name, writable: allowed }
    if (paths.length > MAX_PATHS) {
      throw new SwitchboardError('mode_denied', `${tool.name} was given more than ${MAX_PATHS} paths at once`, {
        hint: 'Make several calls with fewer paths each.',
        details,
      })
    }
    const budget = createLookBudget()
    const outside = paths.find((path) => !roots.contains(allowed, path, workspace, budget))
    if (outside === undefined) return
    if (budget.left < 0) {
      throw new SwitchboardError('mode_denied', `The paths of ${tool.name} are too many and too deep to be checked`, {
        hint: 'Make several calls with fewer paths each, without `..` in them.',
        details,
      })
    }
    const shown = JSON.stringify(outside.slice(0, MAX_QUOTED))
    const places = allowed.length === 0 ? 'it may write nowhere' : `it may write in ${allowed.join(', ')}`
    throw new SwitchboardError(
      'mode_denied',
      `The mode "${mode.name}" does not let ${tool.name} use ${shown}: ${places}`,
      {
        hint: workspace === undefined ? NO_WORKSPACE_HINT : 'Use a path there, or another mode.',
        details: { ...details, path: outside.slice(0, MAX_QUOTED) },
      },
    )
  }
}

const NO_WORKSPACE_HINT =
  'Use an absolute path there, or another mode. Nobody told which workspace this caller is about, so relative paths lead nowhere.'

/** What a glob says of a name is worked out once. */
function createMode(name: string, config: ModeConfig): Mode {
  const passes = createToolFilter(config.tools)
  const known = new Map<string, boolean>()
  return {
    name,
    config,
    allows(tool) {
      let verdict = known.get(tool)
      if (verdict === undefined) {
        verdict = passes(tool)
        known.set(tool, verdict)
      }
      return verdict
    },
  }
}
