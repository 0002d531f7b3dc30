import type { ToolOutcome } from '@switchboard/toolkit'
import type { ModeStatusData, ModeStatusParams } from '../generated/types.ts'
import { modesOf } from '../modes/modes-of.ts'
import type { SwitchboardContext } from '../services.ts'

export function run(_params: ModeStatusParams, context: SwitchboardContext): ToolOutcome<ModeStatusData> {
  const { instance } = context.call.caller
  const modes = modesOf(context)
  const list = modes.list()
  const record = instance === undefined ? undefined : modes.read(instance)
  const mode = (instance === undefined ? modes.forHttp() : record?.mode) ?? null
  const isGone = mode !== null && !list.some(({ name }) => name === mode)
  const status =
    mode === null
      ? 'No mode is set; call mode_get_instructions.'
      : `Mode: ${mode}${isGone ? ' (not configured any more)' : ''}`
  const lines = list.map(
    ({ name, description, approval }) =>
      `- ${name}: ${description}${approval === 'person' ? ' (a person has to approve)' : ''}`,
  )
  return {
    text: [status, ...lines].join('\n'),
    data: {
      mode,
      ...(instance === undefined ? { boundBy: 'gateway.modeForHttp' } : { instance }),
      ...(record === undefined || mode === null ? {} : { setAt: record.at, setBy: record.setBy }),
      modes: list.map(({ name, description, approval }) => ({ name, description, approval })),
    },
  }
}
