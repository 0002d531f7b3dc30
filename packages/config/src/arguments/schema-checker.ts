/**
 * The parameters of a call of a tool of ours: a copy with the defaults filled in, or every problem at once. Nothing is converted: "5" is no
 * integer, and the agent is told so.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { withPlainNumbers } from '@switchboard/protocol/framing'
import { compileOwnSchema, type ValidateFunction } from './compile-schema.ts'
import { describeProblems, type FieldProblem } from './describe-problems.ts'
import { fitsSchema } from './fits-schema.ts'

export type CheckedParams =
  | { readonly params: JsonObject; readonly problems?: undefined }
  | { readonly problems: readonly FieldProblem[] }

/** Schemas are ours and were checked when they were generated: that they compile is certain. Each is compiled once. */
export class SchemaChecker {
  readonly #compiled = new WeakMap<JsonObject, ValidateFunction>()

  async checkParams(schema: JsonObject, given: unknown): Promise<CheckedParams> {
    // Defaults are written into what is checked; the caller's own object stays as it is.
    const copy = (): unknown => (given === undefined || given === null ? {} : structuredClone(withPlainNumbers(given)))
    const good = copy()
    if (fitsSchema(schema, good) && isJsonObject(good)) return { params: good }
    const params = copy()
    const validate = await this.#compile(schema)
    if (validate(params) && isJsonObject(params)) return { params }
    return { problems: describeProblems(validate.errors ?? [], schema, params) }
  }

  async #compile(schema: JsonObject): Promise<ValidateFunction> {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      validate = await compileOwnSchema(schema)
      this.#compiled.set(schema, validate)
    }
    return validate
  }
}
