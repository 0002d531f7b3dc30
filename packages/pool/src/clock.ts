export { type Clock, systemClock, type Timer } from '@switchboard/process'
