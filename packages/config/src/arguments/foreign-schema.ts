/**
 * A schema of somebody else, ready to judge arguments. What is surely cheap is judged at once; what may take long is
 * judged apart (check-apart.ts), so that neither who wrote the schema nor who chose the arguments holds up anybody else.
 */
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { withPlainNumbers } from '@switchboard/protocol/framing'
import { ChecksApart, type CheckTurn } from './check-apart.ts'
import type { CheckOutcome, SchemaCheck } from './check-thread.ts'
import {
  compileForeign,
  draftOf,
  FOREIGN_OPTIONS,
  MODULES,
  type ValidateFunction,
  withoutDialect,
} from './compile-schema.ts'
import { describeProblems, type FieldProblem } from './describe-problems.ts'
import { estimateSchema, findCostly, isCheap, type SchemaCost } from './schema-cost.ts'

/** A schema larger than this is not worth the seconds that compiling it would take. */
const MAX_CHARACTERS = 512 * 1024
/** That a larger one is a schema at all takes too long to find out, whatever of it is used. */
const MAX_CHEAP_CHARACTERS = 64 * 1024
const DEADLINES = { schema: 5_000, args: 2_000 }

const shared = new ChecksApart(FOREIGN_OPTIONS, DEADLINES)
let nextKey = 1

type Problems = readonly FieldProblem[]
const NO_PROBLEMS: Problems = []

export class ForeignSchema {
  readonly #schema: JsonObject
  readonly #apart: ChecksApart
  readonly #cost: SchemaCost | undefined
  readonly #validate: ValidateFunction | undefined
  readonly #key = nextKey++
  #unusable: string | undefined

  private constructor(schema: JsonObject, apart: ChecksApart, cost?: SchemaCost, validate?: ValidateFunction) {
    this.#schema = schema
    this.#apart = apart
    this.#cost = cost
    this.#validate = validate
  }

  /** Rejects for one that cannot be used; that of a costly one is told by `unusable`, once it was tried. */
  static async compile(foreign: JsonObject, apart: ChecksApart = shared): Promise<ForeignSchema> {
    const { length } = JSON.stringify(foreign)
    if (length > MAX_CHARACTERS) throw new Error('it is too large')
    const schema = withPlainNumbers(foreign)
    const cost = length > MAX_CHEAP_CHARACTERS ? undefined : estimateSchema(withoutDialect(schema))
    return new ForeignSchema(schema, apart, cost, cost === undefined ? undefined : await compileForeign(schema))
  }

  /** Why nothing is checked. */
  get unusable(): string | undefined {
    return this.#unusable
  }

  /** What is wrong with the arguments. A promise only where it may take long; rejects with `check_timeout`. */
  judge(tool: string, given: unknown, turn: () => CheckTurn): Problems | Promise<Problems> {
    const args = withPlainNumbers(given) ?? {}
    const validate = this.#validate
    if (validate === undefined || this.#cost === undefined || !isCheap(this.#cost, args)) {
      return this.#judgeApart(tool, args, turn())
    }
    return validate(args) ? NO_PROBLEMS : describeProblems(validate.errors ?? [], this.#schema, args)
  }

  async #judgeApart(tool: string, args: unknown, turn: CheckTurn): Promise<Problems> {
    const outcome = await this.#apart.run(() => this.#createCheck(args), turn)
    if ('errors' in outcome) return describeProblems(outcome.errors, this.#schema, args)
    if ('ended' in outcome) throw createCheckTimeout(tool, outcome.ended, this.#schema)
    this.#unusable = outcome.unusable
    return NO_PROBLEMS
  }

  #createCheck(args: unknown): SchemaCheck | CheckOutcome {
    if (this.#unusable !== undefined) return { unusable: this.#unusable }
    return {
      key: this.#key,
      schema: withoutDialect(this.#schema),
      ajv: MODULES[draftOf(this.#schema)],
      args: JSON.stringify(args),
    }
  }
}

/** Neither side alone is to blame: the schema is costly, and only for some arguments. */
function createCheckTimeout(tool: string, why: string, schema: JsonObject): SwitchboardError {
  const costly = findCostly(schema)
  const reason = costly.length === 0 ? '' : `; costly in it: ${costly.join(', ')}`
  return new SwitchboardError(
    'check_timeout',
    `The arguments of ${tool} could not be checked against the input schema of its server: ${why}${reason}`,
    { details: { costly } },
  )
}
