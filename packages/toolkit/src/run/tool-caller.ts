/**
 * One call of one tool, in this order: parameters, requirements, the run under its budget, the result under its budget.
 * Whatever happens becomes a result with an envelope; nothing is thrown, except in strict mode, where a mistake of the
 * pack's author (an undeclared code, data that breaks its own schema) is thrown so that a test cannot miss it.
 */
import { type Clock, errorMessage } from '@switchboard/base'
import { createArgumentsError, SchemaChecker } from '@switchboard/config/arguments'
import { type Call, isJsonObject, type JsonObject } from '@switchboard/protocol'
import {
  type ErrorReport,
  type Executed,
  type ResultMeta,
  SwitchboardError,
  toToolErrorResult,
  toToolResult,
} from '@switchboard/protocol/errors'
import type { CallToolResult } from '@switchboard/protocol/mcp'
import type { Logger } from '@switchboard/telemetry'
import { BUILT_IN_ERRORS, isBuiltInCode } from '../manifest/built-in-errors.ts'
import { categoryOf } from '../manifest/error-category.ts'
import { isRequirementName, REQUIREMENTS } from '../manifest/requirements.ts'
import type { Definitions, ErrorDeclaration, Guide, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { ToolError } from '../tool-error.ts'
import { WrongArguments } from '../wrong-arguments.ts'
import { DataChecker } from './check-data.ts'
import type { IndexedTool } from './pack-index.ts'
import { type Budget, fitToBudget } from './result-budget.ts'
import { runWithBudget } from './run-with-budget.ts'
import type { PackHost, Refusal, ToolContext, ToolFunction, ToolOutcome } from './tool-context.ts'

export interface ToolCallerOptions<Host extends PackHost> {
  /** As the router names the pack. */
  readonly provider: string
  readonly host: Host
  readonly guides: readonly Guide[]
  readonly log: Logger
  readonly clock: Clock
  readonly graceMs: number
  readonly strict: boolean
  readonly commonErrors: readonly ErrorDeclaration[]
  readonly definitions: Definitions
  /** Whether data is checked against its schema; in strict mode it always is. */
  readonly isDataChecked: boolean
  budgetFor(call: Call): Budget
}

/** So that a tool that waits for `timeoutMs` itself can answer before its budget is over. */
const TIMEOUT_MARGIN_MS = 1_000

export class ToolCaller<Host extends PackHost> {
  readonly #options: ToolCallerOptions<Host>
  readonly #schemas = new SchemaChecker()
  readonly #data: DataChecker

  constructor(options: ToolCallerOptions<Host>) {
    this.#options = options
    this.#data = new DataChecker(options.definitions, { isClosed: options.strict })
  }

  async call({ declaration, run }: IndexedTool<Host>, given: unknown, call: Call): Promise<CallToolResult> {
    const { clock, provider } = this.#options
    const begun = clock.now()
    const createMeta = (): ResultMeta => ({
      requestId: call.id,
      traceId: call.traceId,
      tool: declaration.name,
      provider,
      timestamp: new Date(clock.wallTime()).toISOString(),
      durationMs: Math.round(clock.now() - begun),
    })
    let executed: Executed = false
    try {
      const params = await this.#checkParams(declaration, given)
      await this.#checkRequirements(declaration, call, params)
      executed = true
      const outcome = await this.#run(declaration, run, params, call)
      const checked = await this.#checkOutcome(declaration, outcome, call)
      const { text, data, truncated } = fitToBudget(checked, this.#options.budgetFor(call))
      const meta = createMeta()
      return toToolResult(text, data, truncated === undefined ? meta : { ...meta, truncated })
    } catch (thrown) {
      return toToolErrorResult(this.#toReport(declaration, thrown, executed, call), createMeta())
    }
  }

  async #checkParams(declaration: ToolDeclaration, given: unknown): Promise<JsonObject> {
    const checked = await this.#schemas.checkParams(declaration.input, readGiven(declaration.input, given))
    if (checked.problems === undefined) return checked.params
    throw new WrongArguments(checked.problems)
  }

  async #checkRequirements(declaration: ToolDeclaration, call: Call, params: JsonObject): Promise<void> {
    const { host } = this.#options
    for (const name of declaration.requires) {
      const check = host.requirements?.[name] ?? (() => refuseWithoutWorkspace(host, call))
      const refusal = await check(call, params)
      if (refusal === undefined) continue
      const { code, message, hint = hintOfRequirement(name, declaration, code), details = {} } = refusal
      throw new RefusedError(code, message, { hint, details: { requirement: name, ...details } })
    }
  }

  #run(
    declaration: ToolDeclaration,
    run: ToolFunction<never, unknown, Host>,
    params: JsonObject,
    call: Call,
  ): Promise<ToolOutcome> {
    const { clock, graceMs, host, guides } = this.#options
    const budgetMs = findBudget(declaration, params, call)
    const log = this.#options.log.child({ traceId: call.traceId })
    const execute = (signal: AbortSignal) => {
      const context: ToolContext<Host> = {
        call,
        signal,
        budgetMs,
        workspace: findWorkspace(host, call),
        host,
        guides,
        // After the answer nobody waits for more.
        progress: (progress) => (signal.aborted ? undefined : call.progress?.(progress)),
        tell: (level, data) => (signal.aborted ? undefined : call.log?.({ level, logger: declaration.name, data })),
        log,
      }
      // The schema that the types of the function were generated from has just been checked.
      return run(params as never, context)
    }
    return runWithBudget(execute, {
      tool: declaration.name,
      budgetMs,
      graceMs,
      signal: call.signal,
      clock,
      onLate: ({ error }) =>
        log.warn('toolkit.late', `${declaration.name} ended long after it was told to stop`, {
          ...(error === undefined ? {} : { error: String(error) }),
        }),
    })
  }

  /** A client refuses the whole result when its data breaks the schema that was listed: then it goes without data. */
  async #checkOutcome(declaration: ToolDeclaration, outcome: ToolOutcome, call: Call): Promise<ToolOutcome> {
    if (!isJsonObject(outcome) || !('data' in outcome)) {
      throw new TypeError(`${declaration.alias} must return { data }, not ${JSON.stringify(outcome) ?? 'nothing'}`)
    }
    const { strict, isDataChecked, budgetFor } = this.#options
    if (declaration.data === undefined || !(strict || isDataChecked)) return outcome
    const json = JSON.stringify(outcome.data) ?? 'null'
    // Data over the budget is not sent as data, and checking megabytes would keep others waiting.
    if (!strict && json.length > budgetFor(call).maxBytes) return outcome
    const found = await this.#data.findProblem(declaration.data, JSON.parse(json))
    if (found === undefined) return outcome
    const problem = `The data of ${declaration.name} breaks its own schema: ${found}`
    if (strict) throw new SwitchboardError('internal', problem)
    this.#options.log.error('toolkit.bug', problem, { trace_id: call.traceId })
    return { text: outcome.text ?? json, data: undefined }
  }

  #toReport(declaration: ToolDeclaration, thrown: unknown, executed: Executed, call: Call): ErrorReport {
    if (!(thrown instanceof ToolError || thrown instanceof SwitchboardError)) {
      return this.#reportBug(declaration, thrown, call)
    }
    const { code, hint, details } = thrown
    const entry = this.#findEntry(declaration, code, thrown instanceof RefusedError)
    if (entry === undefined) return this.#reportBug(declaration, thrown, call)
    // One of the catalogue says all of it itself: whether what it was about was done, and when to come again.
    if (thrown instanceof SwitchboardError) return thrown.toReport()
    const isOver = code === 'E_TIMEOUT' || code === 'E_CANCELLED'
    // Whoever says that the arguments are wrong has done nothing with them.
    const isRefused = code === 'invalid_arguments'
    return {
      code,
      category: categoryOf(code),
      message:
        thrown instanceof WrongArguments
          ? createArgumentsError(declaration.name, thrown.fields).message
          : thrown.message,
      hint: hint ?? entry.hint,
      executed: isRefused ? false : isOver && executed === true ? 'unknown' : executed,
      retryable: entry.retryable,
      retryAfterMs: null,
      details,
    }
  }

  #findEntry(declaration: ToolDeclaration, code: string, isRefusal: boolean): ErrorDeclaration | undefined {
    const known = [...declaration.errors, ...this.#options.commonErrors].find((entry) => entry.code === code)
    if (known !== undefined) return known
    if (isBuiltInCode(code)) return BUILT_IN_ERRORS[code]
    // What was there when it was checked may be gone a moment later: a tool may say so with the same code.
    const required = declaration.requires.filter(isRequirementName).find((name) => REQUIREMENTS[name].code === code)
    if (required !== undefined) return { code, retryable: false, hint: REQUIREMENTS[required].hint }
    return isRefusal ? { code, retryable: false, hint: '' } : undefined
  }

  #reportBug(declaration: ToolDeclaration, thrown: unknown, call: Call): ErrorReport {
    const code = thrown instanceof ToolError || thrown instanceof SwitchboardError ? thrown.code : undefined
    const message = errorMessage(thrown)
    const problem =
      code === undefined
        ? `${declaration.name} failed unexpectedly: ${message}`
        : `${declaration.name} failed with ${code}, which it does not declare: ${message}`
    this.#options.log.error('toolkit.bug', problem, {
      trace_id: call.traceId,
      stack: thrown instanceof Error ? thrown.stack : undefined,
    })
    if (this.#options.strict) throw new SwitchboardError('internal', problem, { cause: thrown })
    const { hint, retryable } = BUILT_IN_ERRORS.E_INTERNAL
    return {
      code: 'E_INTERNAL',
      category: 'internal',
      message: problem,
      hint,
      executed: 'unknown',
      retryable,
      retryAfterMs: null,
      details: {},
    }
  }
}

/** Its code belongs to the requirement, so that no tool has to declare it. */
class RefusedError extends ToolError {}

/**
 * What a caller meant: null is a parameter that it leaves out, and `project_path` is `projectPath` in the hand of many models.
 * A name that is declared as it stands, or given both ways, is left as it is.
 */
function readGiven(input: JsonObject, given: unknown): unknown {
  if (!isJsonObject(given)) return given
  const declared = isJsonObject(input.properties) ? input.properties : {}
  const meant = (name: string): string => {
    if (!name.includes('_') || Object.hasOwn(declared, name)) return name
    const camelCase = name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
    return Object.hasOwn(declared, camelCase) && !Object.hasOwn(given, camelCase) ? camelCase : name
  }
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [meant(name), value]))
}

function hintOfRequirement(name: string, declaration: ToolDeclaration, code: string): string {
  const declared = declaration.errors.find((entry) => entry.code === code)
  return declared?.hint ?? (isRequirementName(name) ? REQUIREMENTS[name].hint : '')
}

function findWorkspace(host: PackHost, call: Call): string | undefined {
  return host.workspace === undefined ? call.caller.workspace : host.workspace(call)
}

function refuseWithoutWorkspace(host: PackHost, call: Call): Refusal | undefined {
  if (findWorkspace(host, call) !== undefined) return undefined
  const { code, message } = REQUIREMENTS.workspace
  return { code, message }
}

/** The declared one; a parameter `timeoutMs` may extend it, and the caller's own budget ends both. */
function findBudget({ timeoutMs }: ToolDeclaration, params: JsonObject, call: Call): number {
  const wanted = typeof params.timeoutMs === 'number' ? params.timeoutMs + TIMEOUT_MARGIN_MS : 0
  return Math.min(Math.max(timeoutMs, wanted), call.timeout ?? Number.POSITIVE_INFINITY)
}
