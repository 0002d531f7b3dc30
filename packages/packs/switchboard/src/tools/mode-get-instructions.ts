/**
 * How an agent declares what it is about: it sets the mode of its own instance, never of another, and returns the rules.
 */
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ToolOutcome } from '@switchboard/toolkit'
import type { ModeGetInstructionsData, ModeGetInstructionsParams } from '../generated/types.ts'
import { askPerson } from '../modes/ask-person.ts'
import { modesOf } from '../modes/modes-of.ts'
import type { DeclaredMode, ModeRules, ModesService, SwitchboardContext } from '../services.ts'

export async function run(
  { mode }: ModeGetInstructionsParams,
  context: SwitchboardContext,
): Promise<ToolOutcome<ModeGetInstructionsData>> {
  const { call, signal } = context
  const { instance, workspace } = call.caller
  const modes = modesOf(context)
  // Read first: a mode whose rules cannot be told is not set.
  const rules = await modes.rules(mode, workspace)
  if (instance === undefined) {
    if (modes.forHttp() !== mode) throw createHttpError(modes)
    return describeRules(rules, {})
  }
  const before = modes.read(instance)
  const previous = before?.mode ?? null
  if (before !== undefined && previous === mode) return describeRules(rules, { instance, record: before })
  if (rules.approval === 'person') await askPerson({ instance, previous, mode }, call)
  // The answer may come when nobody waits for it any more.
  signal.throwIfAborted()
  const record = await modes.set(instance, mode, rules.approval === 'person' ? 'person' : 'agent')
  return describeRules(rules, { instance, record, previous })
}

function createHttpError(modes: ModesService): SwitchboardError {
  const bound = modes.forHttp()
  const names = modes.list().map(({ name }) => name)
  if (bound === undefined) {
    return new SwitchboardError('mode_required', 'A caller over HTTP has no instance that could declare a mode', {
      hint: 'Connect through `switchboard mcp` (stdio), or let the person name a mode for HTTP callers with `gateway.modeForHttp`.',
      details: { modes: names },
    })
  }
  return new SwitchboardError('mode_denied', `Callers over HTTP are bound to the mode "${bound}"`, {
    hint: 'It is `gateway.modeForHttp` of the configuration; a window that connects through `switchboard mcp` can choose.',
    details: { mode: bound, modes: names },
  })
}

interface Declared {
  readonly instance?: string
  readonly record?: DeclaredMode
  /** Absent: it has not changed. */
  readonly previous?: string | null
}

function describeRules(
  { name, description, instructions, tools, writable, approval }: ModeRules,
  { instance, record, previous }: Declared,
): ToolOutcome<ModeGetInstructionsData> {
  const rules = [
    `Mode: ${name}. ${description}`,
    ...(tools.allow.length === 0 ? [] : [`Tools: ${tools.allow.join(', ')}`]),
    ...(tools.deny.length === 0 ? [] : [`Not: ${tools.deny.join(', ')}`]),
    ...(writable === undefined ? [] : [`Writable: ${writable.length === 0 ? 'nothing' : writable.join(', ')}`]),
  ]
  return {
    text: [rules.join('\n'), ...(instructions.trim() === '' ? [] : [instructions.trim()])].join('\n\n'),
    data: {
      mode: name,
      description,
      instructions,
      tools: { allow: [...tools.allow], deny: [...tools.deny] },
      ...(writable === undefined ? {} : { writable: [...writable] }),
      approval,
      ...(instance === undefined ? {} : { instance }),
      ...(record === undefined ? {} : { setAt: record.at, setBy: record.setBy }),
      ...(previous === undefined ? {} : { previous }),
    },
  }
}
