import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions } from '../engine/debug-session.ts'
import { describeValue } from './describe-value.ts'
import type { FrameItem } from './inspector-stack-reader.ts'
import type { InspectorTarget } from './inspector-target.ts'
import { asExpression } from './inspector-variable-reader.ts'
import type { EvaluateResult, RemoteObject } from './protocol.ts'

const DEFAULT_TIMEOUT_MS = 5_000
/** The runtime ends an evaluation by itself; only when it does not even do that, we stop waiting. */
const SLACK_MS = 250

/** In a frame or globally. `isHover`: whatever would change something is refused. */
export async function evaluate(
  target: InspectorTarget,
  expression: string,
  { frame, isHover }: { frame: FrameItem; isHover: boolean },
  { signal, timeout = DEFAULT_TIMEOUT_MS }: EngineRequestOptions,
): Promise<RemoteObject> {
  const params = {
    expression: asExpression(expression),
    objectGroup: 'switchboard',
    silent: true,
    generatePreview: true,
    throwOnSideEffect: isHover,
    timeout,
  }
  const patience = { timeout: timeout + SLACK_MS, ...(signal === undefined ? {} : { signal }) }
  if (!isHover) target.isChanged = true
  // While the thread stands no promise is ever settled: waiting for one would be in vain.
  const canWait = !isHover && target.paused === undefined
  let answer: EvaluateResult
  try {
    answer =
      frame === undefined
        ? await target.client.request(
            'Runtime.evaluate',
            { ...params, replMode: canWait, awaitPromise: canWait },
            patience,
          )
        : await target.client.request(
            'Debugger.evaluateOnCallFrame',
            { ...params, callFrameId: frame.callFrameId },
            patience,
          )
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'E_OPERATION_FAILED') throw error
    if (/terminated/i.test(error.message)) throw tooSlow(expression, timeout)
    throw new ToolError('E_EVALUATE_FAILED', error.message, { cause: error })
  }
  const { result, exceptionDetails } = answer
  if (exceptionDetails === undefined) return result
  const { exception, text } = exceptionDetails
  if (exception === undefined && /terminated/i.test(text)) throw tooSlow(expression, timeout)
  const why = exception === undefined ? text : describeValue(exception)
  throw new ToolError('E_EVALUATE_FAILED', `"${expression.slice(0, 200)}" does not evaluate: ${why}`)
}

function tooSlow(expression: string, timeout: number): ToolError {
  return new ToolError('E_TIMEOUT', `"${expression.slice(0, 200)}" took longer than ${timeout} ms and was ended.`)
}
