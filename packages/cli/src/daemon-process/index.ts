/** For the extension, which starts the daemon by the command that it brings along. */
export type { ProgramCommand } from './daemon-program.ts'
export { ensureDaemon } from './ensure-daemon.ts'
