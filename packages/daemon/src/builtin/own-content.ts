/** Which of Switchboard's own tools there are: those of modes only where modes are configured. */
import type { Logger } from '@switchboard/telemetry'
import type { Modes } from '../modes/modes.ts'
import type { BuiltinContent } from './builtin-provider.ts'
import { createLogTool } from './log-tool.ts'
import { createModeNotice, createModeTools } from './mode-tools.ts'
import { createStatusTool, type StatusToolOptions } from './status-tool.ts'

export interface OwnContentOptions extends Omit<StatusToolOptions, 'mode' | 'otherWindows'> {
  readonly log: Logger
  /** Absent: `debug_get_logs` is not there. */
  readonly logsDirectory?: string
  readonly modes?: Modes
}

export function createOwnContent({ log, logsDirectory, modes, ...status }: OwnContentOptions): BuiltinContent {
  const hasModes = modes?.isConfigured === true
  const statusTool = createStatusTool({
    ...status,
    otherWindows: (instance) => modes?.countOthers(instance) ?? 0,
    mode: (instance) => {
      if (!hasModes) return undefined
      return (instance === undefined ? modes.modeForHttp : modes.read(instance)?.mode) ?? null
    },
  })
  return {
    tools: [
      ...(hasModes ? createModeTools(modes) : []),
      statusTool,
      ...(logsDirectory === undefined ? [] : [createLogTool({ directory: logsDirectory, log })]),
    ],
    instructions: hasModes ? createModeNotice(modes) : '',
  }
}
