/** What an exception is: from the words of the stop, from what a panic was called with, or as the adapter tells it. */
import { DebugError } from '../session/debug-error.ts'
import type { ExceptionInfo, ExceptionMode, Frame } from '../session/debug-session.ts'
import type { Json } from './json.ts'
import type { DapTraits } from './traits.ts'
import { toExceptionInfo } from './translate.ts'

export interface ExceptionSource {
  readonly traits: DapTraits
  readonly mode: ExceptionMode
  readonly stop: { readonly text: string; readonly reason: string }
  /** The last that program and adapter printed. */
  readonly outputTail: string
  readTop(): Promise<Frame | undefined>
  evaluate(expression: string, frameId: number): Promise<string>
  /** Undefined: the adapter does not know the request. */
  readonly ask: (() => Promise<Json>) | undefined
}

export async function readException(source: ExceptionSource): Promise<ExceptionInfo | undefined> {
  const { traits, stop, outputTail, ask } = source
  const own = traits.readException?.(stop, outputTail) ?? (await readPanic(source))
  if (own !== undefined || ask === undefined) return own
  try {
    return toExceptionInfo(await ask())
  } catch (error) {
    // It stands at no exception.
    if (error instanceof DebugError) throw error
    return undefined
  }
}

/** It stands in the function that was called with what was thrown. */
async function readPanic({
  traits,
  mode,
  stop,
  readTop,
  evaluate,
}: ExceptionSource): Promise<ExceptionInfo | undefined> {
  const { panicValue, panicFunctions } = traits
  if (panicValue === undefined || stop.reason !== 'exception') return undefined
  const top = await readTop()
  if (top === undefined || !panicFunctions?.[mode]?.includes(top.name)) return undefined
  return { type: 'panic', message: panicValue.toMessage(await evaluate(panicValue.expression, top.id)) }
}
