/**
 * A tool's data against its own schema. Where it is closed (for tests), members that the schema does not name are a problem
 * as well, so that what is declared is all there is; agents get the schema open, so that a later one may say more.
 */
import { compileOwnSchema, type ErrorObject, fitsSchema, type ValidateFunction } from '@switchboard/config/arguments'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { withDefinitions } from '../manifest/schema-references.ts'
import type { Definitions } from '../manifest/tool-declaration.ts'

const MAX_PROBLEMS = 5

export class DataChecker {
  readonly #definitions: Definitions
  readonly #isClosed: boolean
  readonly #whole = new WeakMap<JsonObject, JsonObject>()
  readonly #compiled = new WeakMap<JsonObject, Promise<ValidateFunction>>()

  constructor(definitions: Definitions, { isClosed }: { isClosed: boolean }) {
    this.#definitions = definitions
    this.#isClosed = isClosed
  }

  /** Undefined when the data is as the schema says. */
  async findProblem(schema: JsonObject, data: unknown): Promise<string | undefined> {
    const whole = this.#complete(schema)
    if (fitsSchema(whole, data)) return undefined
    const validate = await this.#compile(whole)
    if (validate(data)) return undefined
    const problems = [...new Set((validate.errors ?? []).map(describeError))]
    return problems.slice(0, MAX_PROBLEMS).join('; ')
  }

  #complete(schema: JsonObject): JsonObject {
    let whole = this.#whole.get(schema)
    if (whole === undefined) {
      const open = withDefinitions(schema, this.#definitions)
      whole = this.#isClosed ? closeSchema(open) : open
      this.#whole.set(schema, whole)
    }
    return whole
  }

  #compile(whole: JsonObject): Promise<ValidateFunction> {
    let compiled = this.#compiled.get(whole)
    if (compiled === undefined) {
      compiled = compileOwnSchema(whole)
      this.#compiled.set(whole, compiled)
    }
    return compiled
  }
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty: name } = params
  const what = typeof name === 'string' ? `has ${name}, which is not declared` : message
  return `${instancePath === '' ? 'the whole' : instancePath} ${what}`
}

/** No object has members but those that its schema names, unless the schema itself says otherwise. */
function closeSchema(schema: JsonObject): JsonObject {
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'const' || key === 'enum' ? value : closeValue(value)]),
  )
  const isOpen = isJsonObject(closed.properties) && closed.type === 'object' && !('additionalProperties' in closed)
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

function closeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeValue)
  return isJsonObject(value) ? closeSchema(value) : value
}
