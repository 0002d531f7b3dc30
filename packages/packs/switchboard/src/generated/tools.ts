// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as debugGetLogs } from '../tools/debug-get-logs.ts'
import { run as modeGetInstructions } from '../tools/mode-get-instructions.ts'
import { run as modeStatus } from '../tools/mode-status.ts'
import { run as switchboardStatus } from '../tools/switchboard-status.ts'
import type {
  DebugGetLogsData,
  DebugGetLogsParams,
  ModeGetInstructionsData,
  ModeGetInstructionsParams,
  ModeStatusData,
  ModeStatusParams,
  SwitchboardStatusData,
  SwitchboardStatusParams,
} from './types.ts'

/** By alias. Each is checked against the types of its declaration. */
export const tools = {
  'debug.get-logs': debugGetLogs satisfies ToolFunction<DebugGetLogsParams, DebugGetLogsData>,
  'mode.get-instructions': modeGetInstructions satisfies ToolFunction<ModeGetInstructionsParams, ModeGetInstructionsData>,
  'mode.status': modeStatus satisfies ToolFunction<ModeStatusParams, ModeStatusData>,
  'switchboard.status': switchboardStatus satisfies ToolFunction<SwitchboardStatusParams, SwitchboardStatusData>,
}
