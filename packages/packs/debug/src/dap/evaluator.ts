/** Evaluates and assigns in a frame, with the detours that some adapters need. */
import { errorMessage } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions, Variable } from '../engine/debug-session.ts'
import { type JsonMembers, readNumber, readObjects, readString } from '../json-values.ts'
import { type DapClient, REQUEST_TIMEOUT_MS } from './dap-client.ts'
import { refusedAs } from './dap-failure.ts'
import type { DapVariableReader } from './dap-variable-reader.ts'
import { parseLogMessage } from './log-marks.ts'
import type { DapTraits } from './traits.ts'
import { toVariable } from './translate.ts'

const LIMIT_SLACK_MS = 1_000

export interface Where {
  readonly frameId?: number
  readonly context: 'watch' | 'repl' | 'hover'
}

export class Evaluator {
  readonly #client: DapClient
  readonly #traits: DapTraits
  readonly #reader: DapVariableReader
  /** Milliseconds, as the debugger was told last. */
  #limit: number | undefined

  constructor(client: DapClient, traits: DapTraits, reader: DapVariableReader) {
    this.#client = client
    this.#traits = traits
    this.#reader = reader
  }

  async evaluate(expression: string, where: Where, options: EngineRequestOptions): Promise<Variable> {
    const { evaluateWrap, evaluateContext } = this.#traits
    const { frameId } = where
    const limit = await this.#limitTo(options, frameId)
    const body = await this.#ask(
      'evaluate',
      {
        expression: evaluateWrap?.wrap(expression) ?? expression,
        context: evaluateContext?.(where.context) ?? where.context,
        ...(frameId === undefined ? {} : { frameId }),
      },
      { ...limit, evaluates: expression },
    ).catch((error: unknown) => {
      throw this.#isOverLimit(error) ? tookTooLong(expression, options.timeout ?? REQUEST_TIMEOUT_MS) : error
    })
    const result = evaluateWrap === undefined ? body : await this.#unwrap(body, options)
    const value = { ...toVariable(result, expression, this.#traits), expression }
    this.#reader.rememberValue(value, frameId)
    return this.#reader.measure(value, frameId, options)
  }

  /** The debugger ends it by itself; only where it does not even do that, we stop waiting. */
  async #limitTo(options: EngineRequestOptions, frameId: number | undefined): Promise<EngineRequestOptions> {
    const { evaluateLimit } = this.#traits
    if (evaluateLimit === undefined) return options
    const { timeout = REQUEST_TIMEOUT_MS } = options
    if (this.#limit !== timeout) {
      const frame = frameId === undefined ? {} : { frameId }
      await this.#ask(
        'evaluate',
        { expression: evaluateLimit.set(timeout / 1000), context: 'watch', ...frame },
        options,
      )
      this.#limit = timeout
    }
    return { ...options, timeout: timeout + LIMIT_SLACK_MS }
  }

  #isOverLimit(error: unknown): boolean {
    return error instanceof ToolError && this.#traits.evaluateLimit?.isOver(error.message) === true
  }

  async assign(reference: number, name: string, value: string, options: EngineRequestOptions): Promise<Variable> {
    const target = this.#reader.assignmentTarget(reference, name)
    const how = this.#traits.setVariable
    const isAssigned = how === 'assignment' || (how === 'native-or-assignment' && !this.#reader.isScope(reference))
    const changed =
      isAssigned && target.expression !== undefined
        ? await this.#assignByExpression(target.expression, name, value, target.frameId, options)
        : await this.#assignNatively(reference, name, value, options)
    this.#reader.noteChange(reference, changed)
    return changed
  }

  async #assignNatively(
    reference: number,
    name: string,
    value: string,
    options: EngineRequestOptions,
  ): Promise<Variable> {
    const { adapterName, expression, frameId } = this.#reader.assignmentTarget(reference, name)
    const slice = this.#reader.elementSlice(reference, name)
    const parent =
      slice === undefined ? undefined : await this.evaluate(slice.expression, inFrame(slice.frameId), options)
    const args = parent === undefined ? { variablesReference: reference, name: adapterName } : firstOf(parent)
    const body = await refusedAs(
      'E_MODIFICATION_FAILED',
      this.#client.request('setVariable', { ...args, value }, options),
    )
    const changed = toVariable(body, name, this.#traits)
    this.#reader.rememberValue(changed, frameId)
    return expression === undefined ? changed : { ...changed, expression }
  }

  /** The message of a logpoint that we print ourselves. */
  async format(message: string, frameId: number | undefined): Promise<string> {
    let text = ''
    for (const piece of parseLogMessage(message)) {
      text += typeof piece === 'string' ? piece : await this.#valueOf(piece.expression, frameId)
    }
    return `${text}\n`
  }

  async #valueOf(expression: string, frameId: number | undefined): Promise<string> {
    try {
      return (await this.evaluate(expression, inFrame(frameId), {})).value
    } catch (error) {
      return `{${errorMessage(error)}}`
    }
  }

  async #assignByExpression(
    expression: string,
    name: string,
    value: string,
    frameId: number | undefined,
    options: EngineRequestOptions,
  ): Promise<Variable> {
    const frame = frameId === undefined ? {} : { frameId }
    try {
      await this.evaluate(`${expression} = ${value}`, { ...frame, context: 'repl' }, options)
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'E_EVALUATE_FAILED') throw error
      throw new ToolError('E_MODIFICATION_FAILED', error.message, { cause: error })
    }
    const now = await this.evaluate(expression, { ...frame, context: 'watch' }, options)
    return { ...now, name }
  }

  /** The wrapped value is the only element of the result. */
  async #unwrap(body: JsonMembers, options: EngineRequestOptions): Promise<JsonMembers> {
    const result = readString(body.result) ?? ''
    if (this.#traits.evaluateWrap?.isWrapped(result) !== true) throw new ToolError('E_EVALUATE_FAILED', result)
    const variablesReference = readNumber(body.variablesReference) ?? 0
    const range = { variablesReference, start: 0, count: 1, filter: 'indexed' }
    const inner = await this.#ask('variables', range, options)
    return readObjects(inner.variables)[0] ?? body
  }

  #ask(
    command: string,
    args: object,
    options: EngineRequestOptions & { readonly evaluates?: string },
  ): Promise<JsonMembers> {
    return refusedAs('E_EVALUATE_FAILED', this.#client.request(command, args, options))
  }
}

function tookTooLong(expression: string, timeout: number): ToolError {
  return new ToolError('E_TIMEOUT', `"${expression.slice(0, 200)}" took longer than ${timeout} ms and was ended`)
}

function inFrame(frameId: number | undefined): Where {
  return { context: 'watch', ...(frameId === undefined ? {} : { frameId }) }
}

function firstOf(list: Variable): { variablesReference: number; name: string } {
  return { variablesReference: list.reference, name: '[0]' }
}
