/**
 * `mode_get_instructions` and `mode_status`. The first is how an agent declares what it is about: it sets the mode of its own
 * instance, never of another, and returns the rules. Where the mode asks for a person, the agent's client asks its person.
 */
import type { ModeConfig } from '@switchboard/pool'
import {
  type AskRequests,
  type Call,
  isJsonObject,
  type JsonObject,
  SwitchboardError,
  toSwitchboardError,
} from '@switchboard/protocol'
import type { ModeRecord } from '../modes/mode-file.ts'
import type { Modes } from '../modes/modes.ts'
import { readInstructions } from '../modes/read-instructions.ts'
import type { OwnTool, OwnToolResult } from './own-tool.ts'

export function createModeTools(modes: Modes): OwnTool[] {
  return [
    {
      definition: {
        name: 'mode_get_instructions',
        title: 'Declare a mode',
        description: `Declares what this session is about and returns the rules for it. Call it before other tools. ${describeModes(modes)}`,
        inputSchema: {
          type: 'object',
          properties: { mode: { type: 'string', maxLength: 64, description: 'The name of a mode.' } },
          required: ['mode'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      run: (args, call) => declareMode(modes, String(args.mode), call),
    },
    {
      definition: {
        name: 'mode_status',
        title: 'Show the mode',
        description: 'The mode of this session, and the modes there are.',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      run: (_args, call) => showMode(modes, call),
    },
  ]
}

/** What every agent is told at its start. */
export function createModeNotice(modes: Modes): string {
  return `Before you call other tools, declare what you are about with mode_get_instructions. ${describeModes(modes)}`
}

function describeModes(modes: Modes): string {
  return `Modes: ${modes.names.map((name) => `${name} (${modes.config(name).description})`).join('; ')}.`
}

async function declareMode(modes: Modes, name: string, call: Call): Promise<OwnToolResult> {
  const config = modes.config(name)
  const { instance } = call.caller
  // Read first: a mode whose rules cannot be told is not set.
  const instructions = await readInstructions(name, config)
  if (instance === undefined) {
    if (modes.modeForHttp !== name) throw createHttpError(modes)
    return describeRules(modes, name, config, instructions, call, undefined)
  }
  const before = modes.read(instance)
  const previous = before?.mode ?? null
  if (before !== undefined && previous === name) return describeRules(modes, name, config, instructions, call, before)
  if (config.approval === 'person') await askPerson(instance, previous, name, call)
  // The answer may come when nobody waits for it any more.
  if (call.signal.aborted) throw toSwitchboardError(call.signal.reason)
  const record = await modes.set(instance, name, config.approval === 'person' ? 'person' : 'agent')
  return describeRules(modes, name, config, instructions, call, record, previous)
}

function createHttpError(modes: Modes): SwitchboardError {
  const bound = modes.modeForHttp
  if (bound === undefined) {
    return new SwitchboardError('mode_required', 'A caller over HTTP has no instance that could declare a mode', {
      hint: 'Connect through `switchboard mcp` (stdio), or let the person name a mode for HTTP callers with `gateway.modeForHttp`.',
      details: { modes: modes.names },
    })
  }
  return new SwitchboardError('mode_denied', `Callers over HTTP are bound to the mode "${bound}"`, {
    hint: 'It is `gateway.modeForHttp` of the configuration; a window that connects through `switchboard mcp` can choose.',
    details: { mode: bound, modes: modes.names },
  })
}

async function askPerson(instance: string, previous: string | null, name: string, call: Call): Promise<void> {
  const deny = (why: string): SwitchboardError =>
    new SwitchboardError('approval_denied', `The change to the mode "${name}" needs a person's yes: ${why}`, {
      hint: `Ask the person to choose it: \`switchboard mode set ${instance} ${name}\`, or the button in VS Code.`,
      details: { instance, mode: name, previous },
    })
  if (call.ask === undefined || !canFillForms(call.caller.capabilities)) {
    throw deny('this client cannot ask (it has no form elicitation)')
  }
  const from = previous === null ? 'It has no mode yet.' : `Its mode is "${previous}" now.`
  const questions: AskRequests = {
    approval: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: `The agent in window ${instance} wants to work in the mode "${name}". ${from} Let it?`,
        requestedSchema: {
          type: 'object',
          properties: {
            answer: {
              type: 'string',
              title: `Change window ${instance} to the mode "${name}"?`,
              enum: ['yes', 'no'],
            },
          },
          required: ['answer'],
        },
      },
    },
  }
  const { approval: answer } = await call.ask(questions).catch((thrown: unknown) => {
    const error = toSwitchboardError(thrown)
    throw call.signal.aborted || error.code === 'cancelled' ? error : deny(`the client did not ask (${error.message})`)
  })
  if (answer?.action === 'decline') throw deny('it was declined')
  if (answer?.action !== 'accept') throw deny('the question was dismissed')
  if (!isJsonObject(answer.content) || answer.content.answer !== 'yes') throw deny('the answer was no')
}

/** `elicitation: {}` is a form; with members, the form has to be among them. */
function canFillForms({ elicitation }: Call['caller']['capabilities']): boolean {
  if (!isJsonObject(elicitation)) return false
  return isJsonObject(elicitation.form) || !isJsonObject(elicitation.url)
}

function describeRules(
  modes: Modes,
  name: string,
  { description, tools, approval }: ModeConfig,
  instructions: string,
  { caller: { instance, workspace } }: Call,
  record: ModeRecord | undefined,
  previous?: string | null,
): OwnToolResult {
  const writable = modes.writableRoots(name, workspace)
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
      ...(writable === undefined ? {} : { writable }),
      approval,
      ...(instance === undefined ? {} : { instance }),
      ...(record === undefined ? {} : { set_at: record.at, set_by: record.setBy }),
      ...(previous === undefined ? {} : { previous }),
    },
  }
}

function showMode(modes: Modes, { caller: { instance } }: Call): OwnToolResult {
  const record = instance === undefined ? undefined : modes.read(instance)
  const mode = (instance === undefined ? modes.modeForHttp : record?.mode) ?? null
  const list = modes.names.map((name) => {
    const { description, approval } = modes.config(name)
    return { name, description, approval }
  })
  const isGone = mode !== null && !modes.names.includes(mode)
  const status =
    mode === null
      ? 'No mode is set; call mode_get_instructions.'
      : `Mode: ${mode}${isGone ? ' (not configured any more)' : ''}`
  const lines = list.map(
    ({ name, description, approval }) =>
      `- ${name}: ${description}${approval === 'person' ? ' (a person has to approve)' : ''}`,
  )
  const data: JsonObject = {
    mode,
    ...(instance === undefined ? { bound_by: 'gateway.modeForHttp' } : { instance }),
    ...(record === undefined || mode === null ? {} : { set_at: record.at, set_by: record.setBy }),
    modes: list,
  }
  return { text: [status, ...lines].join('\n'), data }
}
