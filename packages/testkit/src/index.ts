export { type Clock, FakeClock } from './fake-clock.ts'
export type {
  FixtureScript,
  FixtureTransport,
  Garbage,
  GrandchildScript,
  HttpScript,
  Reaction,
  ScriptedTool,
} from './fixture/script.ts'
export { FIXTURE_PATH, fixtureCommand } from './fixture-process.ts'
export { type JournalEntry, readJournal, waitForJournal } from './journal-reader.ts'
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
export { type ExitInfo, type RemoteFixture, startRemoteFixture } from './remote-fixture.ts'
export { createSeededRandom, type SeededRandom } from './seeded-random.ts'
export { createTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'
export { type WaitOptions, waitFor } from './wait-for.ts'
