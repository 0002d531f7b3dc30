/**
 * Checks a call's arguments against the tool's own input schema before anything is sent. A schema is compiled on its
 * first use and kept as long as the tool it belongs to. A schema that cannot be compiled is the server's fault,
 * not the caller's: then nothing is checked.
 */
import { errorMessage } from '@switchboard/base'
import { type CheckTurn, createArgumentsError, type FieldProblem, ForeignSchema } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'

type Verdict = ForeignSchema | 'unusable'
/** Whose turn a check is that is made apart, and how long it may wait for it. */
type Turn = () => CheckTurn

/** Of what a validator says of a schema, which may quote all of it. */
const MAX_REASON = 300

export class ArgumentValidator {
  readonly #compiled = new WeakMap<JsonObject, Verdict>()
  /** The first users of a tool share one compilation. */
  readonly #compiling = new WeakMap<JsonObject, Promise<Verdict>>()
  readonly #onUnusable: (tool: Tool, reason: string) => void

  constructor(onUnusable: (tool: Tool, reason: string) => void) {
    this.#onUnusable = onUnusable
  }

  /**
   * Throws `invalid_arguments`. A promise is returned the first time a tool is used, and where the check may take long.
   * `name`: by which the caller knows the tool.
   */
  check(
    tool: Tool,
    args: unknown,
    turn: Turn = () => ({ lane: '' }),
    name: string = tool.name,
  ): Promise<void> | undefined {
    const known = this.#compiled.get(tool.inputSchema)
    if (known !== undefined) return this.#judge(known, tool, args, turn, name)
    return this.#compileOnce(tool).then((verdict) => this.#judge(verdict, tool, args, turn, name))
  }

  #judge(known: Verdict, tool: Tool, args: unknown, turn: Turn, name: string): Promise<void> | undefined {
    if (known === 'unusable') return undefined
    const problems = known.judge(name, args, turn)
    if (!(problems instanceof Promise)) return throwOnProblems(name, problems)
    return problems.then((found) => {
      if (known.unusable !== undefined) this.#giveUp(tool, known.unusable)
      throwOnProblems(name, found)
    })
  }

  #compileOnce(tool: Tool): Promise<Verdict> {
    const { inputSchema } = tool
    const underWay = this.#compiling.get(inputSchema)
    if (underWay !== undefined) return underWay
    const compiling = this.#compile(tool)
    this.#compiling.set(inputSchema, compiling)
    return compiling
  }

  async #compile(tool: Tool): Promise<Verdict> {
    try {
      const schema = await ForeignSchema.compile(tool.inputSchema)
      this.#compiled.set(tool.inputSchema, schema)
      return schema
    } catch (error) {
      this.#giveUp(tool, errorMessage(error))
      return 'unusable'
    }
  }

  /** Reported once: from then on nobody looks at the schema. */
  #giveUp(tool: Tool, reason: string): void {
    if (this.#compiled.get(tool.inputSchema) === 'unusable') return
    this.#compiled.set(tool.inputSchema, 'unusable')
    this.#onUnusable(tool, reason.slice(0, MAX_REASON))
  }
}

function throwOnProblems(tool: string, problems: readonly FieldProblem[]): undefined {
  if (problems.length > 0) throw createArgumentsError(tool, problems)
}
