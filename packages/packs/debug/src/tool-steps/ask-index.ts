/**
 * The index of the workspace, asked where no editor knows a file's symbols. It knows names and not meanings: an answer from it says
 * so, and where it came from.
 */
import type { CodeIndex, IndexAsker, IndexedSymbol } from '@switchboard/toolkit'
import { ToolError } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import { refuseWithoutWindow } from './ask-window.ts'

/** Of a window that does not know, or does not answer. */
const WITHOUT_EDITOR: ReadonlySet<string> = new Set([
  'E_NO_LANGUAGE_SERVER',
  'E_BRIDGE_UNAVAILABLE',
  'E_PICKUP_TIMEOUT',
  'E_NO_RESPONSE',
])

export interface AskedIndex {
  readonly index: CodeIndex
  readonly asker: IndexAsker
}

export interface IndexOutcome<D> {
  readonly data: D
  readonly text: string
  readonly isComplete: boolean
}

/** From the window if one answers. `fromIndex`: undefined where the index does not know either; then the window's failure counts. */
export async function askEither<D extends object>(
  context: DebugContext,
  fromWindow: () => Promise<{ data: D; text: string }>,
  fromIndex: (asked: AskedIndex) => Promise<IndexOutcome<D> | undefined>,
): Promise<{ data: D & { source: 'editor' | 'index' }; text: string }> {
  const failure = await tryWindow(context, fromWindow)
  if (!(failure instanceof ToolError)) return { ...failure, data: { ...failure.data, source: 'editor' } }
  const { host, call, signal, workspace } = context
  const index = host.codeIndex()
  if (index === undefined || workspace === undefined) throw failure
  const told = await fromIndex({ index, asker: { caller: call.caller, workspace, signal } })
  if (told === undefined) throw failure
  const part = told.isComplete ? '' : ' It is not complete yet: there may be more.'
  const note = `(From the index of the workspace, which goes by names alone; no editor answers for it.${part})`
  return { data: { ...told.data, source: 'index' }, text: `${told.text}\n${note}` }
}

async function tryWindow<T>(context: DebugContext, fromWindow: () => Promise<T>): Promise<T | ToolError> {
  const refusal = await refuseWithoutWindow(context.call, context.workspace, 'language-server')
  if (refusal !== undefined) return new ToolError(refusal.code, refusal.message)
  try {
    return await fromWindow()
  } catch (error) {
    if (error instanceof ToolError && WITHOUT_EDITOR.has(error.code)) return error
    throw error
  }
}

export const qualified = ({ name, container }: Pick<IndexedSymbol, 'name' | 'container'>): string =>
  container === undefined ? name : `${container}.${name}`
