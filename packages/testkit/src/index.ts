export { callPack, createCall, INSTANCE, type Reading } from './call-pack.ts'
export { catchError, catchRejection } from './catch-error.ts'
export { FakeClock } from './fake-clock.ts'
export type {
  FixtureScript,
  FixtureTransport,
  Garbage,
  GrandchildScript,
  HttpScript,
  Reaction,
  ScriptedTool,
} from './fixture/script.ts'
export { fixtureCommand } from './fixture-process.ts'
export { findFreePort, occupyPort } from './free-port.ts'
export { type JournalEntry, readJournal, waitForJournal } from './journal-reader.ts'
export { LineAgent, type LineAgentOptions } from './line-agent.ts'
export { findPackageProgram } from './package-program.ts'
export {
  createLeakCheck,
  descendantsOf,
  expectNoProcessLeft,
  findByMarker,
  isAlive,
  type LeakCheck,
  type LeakCheckOptions,
  listProcesses,
  type ProcessInfo,
} from './process-table.ts'
export { type Program, readObjectWith, watchProgram } from './program.ts'
export { textOf, textOfAnswer } from './read-answer.ts'
export { type ExitInfo, type RemoteFixture, startRemoteFixture } from './remote-fixture.ts'
export { copyRepository, type RepositoryCopy } from './repository-copy.ts'
export { hasTerminal, runOnTerminal, type TerminalOptions, type TerminalStep } from './run-on-terminal.ts'
export { createSeededRandom, type SeededRandom } from './seeded-random.ts'
export {
  type PipedProgram,
  PROGRAM,
  PROGRAM_ENV,
  type ProgramOptions,
  programCommand,
  type StartOptions,
  startProgram,
  startScript,
} from './switchboard-program.ts'
export { createTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'
export { type WaitOptions, waitFor } from './wait-for.ts'
