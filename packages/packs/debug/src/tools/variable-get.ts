import { MASK } from '@switchboard/telemetry'
import { type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { Variable } from '../engine/debug-session.ts'
import type { VariableGetData, VariableGetParams } from '../generated/types.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'
import { formatVariable, showVariable } from '../variables/show-variable.ts'

/** A text has no children: characters are what there is to page through, and so many are one item. */
const CHARACTERS_PER_ITEM = 40
/** So that an answer carries them, whatever they are. */
const MOST_CHARACTERS = 4_000
const CHILD_LENGTH = 300

export async function run(params: VariableGetParams, context: DebugContext): Promise<ToolOutcome<VariableGetData>> {
  const { start, count, filter, expression } = params
  const { session, stop } = findStopped(context, params)
  const { signal } = context
  let reference = params.variablesReference
  if (reference === undefined) {
    if (expression === undefined)
      throw new WrongArguments([{ field: '', problem: 'need variablesReference or expression' }])
    const frameId = await findFrame(context, session, stop, undefined)
    const found = await session.session.evaluate(expression, { frameId, context: 'watch' }, { signal })
    if (context.host.masking.value(expression, found.value) === MASK) return pageValue(MASK, params)
    const text = await readPiece({ ...found, expression }, { frameId })
    if (text !== undefined) return text
    if (found.reference === 0) return pageValue(context.host.masking.value(expression, found.value), params)
    reference = found.reference
  } else {
    const text = await readPiece(reference, {})
    if (text !== undefined) return text
  }
  const range = { start, count: count + 1, ...(filter === 'all' ? {} : { filter }) }
  const found = await session.session.variables(reference, range, { signal })
  const children = found.slice(0, count).map((child) => showVariable(context, child, CHILD_LENGTH))
  const hasMore = found.length > count
  const lines = children.map(formatVariable)
  if (hasMore) lines.push(`… more: start=${start + count}`)
  return {
    data: { children, pagination: { start, count, shown: children.length, hasMore } },
    text: lines.length === 0 ? 'nothing inside' : lines.join('\n'),
  }

  /** Whoever asks for what is inside of a text wants the text, unless it says what else. */
  async function readPiece(
    of: Variable | number,
    where: { frameId?: number },
  ): Promise<ToolOutcome<VariableGetData> | undefined> {
    if (filter !== 'all') return undefined
    const range = { start, count: charactersOf(params) }
    const piece = await session.session.readText(of, range, where, { signal })
    if (piece === undefined) return undefined
    return answerText(context.host.masking.value(expression ?? '', piece.text), piece.length, params)
  }
}

/** What is no text and has nothing inside. */
function pageValue(value: string, params: VariableGetParams): ToolOutcome<VariableGetData> {
  const isShort = value.length <= charactersOf(params)
  const from = isShort ? { ...params, start: 0 } : params
  return answerText(value.slice(from.start, from.start + charactersOf(params)), value.length, from)
}

function charactersOf({ count }: VariableGetParams): number {
  return Math.min(count * CHARACTERS_PER_ITEM, MOST_CHARACTERS)
}

function answerText(text: string, length: number, params: VariableGetParams): ToolOutcome<VariableGetData> {
  const { start } = params
  const end = Math.min(start + charactersOf(params), length)
  const shown = Math.max(0, end - start)
  const hasMore = end < length
  return {
    data: { children: [], text, length, pagination: { start, count: shown, shown, hasMore } },
    text: hasMore ? `${text}… (${length - end} characters more: start=${end})` : text,
  }
}
