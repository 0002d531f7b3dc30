export { type HttpOverrides, Switchboard, type SwitchboardOptions } from './switchboard.ts'
