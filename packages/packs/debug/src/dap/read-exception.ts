/** What an exception is: from the words of the stop, from what a panic was called with, or as the adapter tells it. */
import { ToolError } from '@switchboard/toolkit'
import type { ExceptionInfo, ExceptionMode, Frame } from '../engine/debug-session.ts'
import type { JsonMembers } from '../json-values.ts'
import { findSyntaxPlace } from './syntax-place.ts'
import type { DapTraits, StopWords } from './traits.ts'
import { toExceptionInfo } from './translate.ts'

export interface ExceptionSource {
  readonly traits: DapTraits
  readonly mode: ExceptionMode
  readonly stop: StopWords
  /** The last that program and adapter printed. */
  readonly outputTail: string
  readTop(): Promise<Frame | undefined>
  evaluate(expression: string, frameId: number): Promise<string>
  /** Undefined: the adapter does not know the request. */
  readonly ask: (() => Promise<JsonMembers>) | undefined
}

export async function readException(source: ExceptionSource): Promise<ExceptionInfo | undefined> {
  const { traits, stop, outputTail, ask } = source
  const own = traits.readException?.(stop, outputTail) ?? (await readPanic(source))
  if (own !== undefined || ask === undefined) return own
  try {
    const told = toExceptionInfo(await ask())
    const place = told === undefined ? undefined : await findSyntaxPlace(told, source)
    return told === undefined || place === undefined ? told : { ...told, place }
  } catch (error) {
    // It stands at no exception.
    if (error instanceof ToolError) throw error
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
