export type { HttpOverrides } from './http-entrance.ts'
export { type ReconfigureOutcome, Switchboard, type SwitchboardOptions } from './switchboard.ts'
