import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { type Io, readInterruption } from '../program/io.ts'

/** Ctrl-C is how a watch is meant to end; any other signal is told as what it is. */
export function endOfWatch(io: Io): number {
  const interruption = readInterruption(io.signal)
  if (interruption === undefined) return EXIT.ok
  const isCtrlC = interruption.kind === 'signal' && interruption.signal === 'SIGINT'
  return isCtrlC ? EXIT.ok : exitCodeOfInterruption(interruption)
}
