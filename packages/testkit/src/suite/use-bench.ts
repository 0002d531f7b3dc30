/**
 * What suites with real processes stand on: a folder and a marker of their own, things undone in their reverse order, and a
 * check that no process and no socket outlives the test, or the suite.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { FixtureScript } from '../fixture/script.ts'
import { fixtureCommand } from '../fixture-process.ts'
import { createLeakCheck, expectNoProcessLeft } from '../process-table.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../temporary-directory.ts'
import { waitFor } from '../wait-for.ts'

export interface Bench {
  readonly directory: TemporaryDirectory
  /** In the command line of every fixture. */
  readonly marker: string
  journal(name: string): string
  /** The script with the journal of that name, and the marker. */
  script(name: string, script?: FixtureScript): FixtureScript
  /** How such a fixture is started on stdio. */
  fixture(name: string, script?: FixtureScript): ReturnType<typeof fixtureCommand>
  /** Undone at the end, last first. */
  defer(cleanup: () => unknown): void
}

export interface BenchOptions {
  /** In the marker, so that a process that is left behind says whose it is. */
  readonly name: string
  /** How long what is opened lives. Default: for one test. */
  readonly per?: 'test' | 'suite'
}

const SOCKETS = new Set(['TCPSocketWrap', 'TCPServerWrap', 'TLSWrap', 'PipeWrap', 'ProcessWrap'])
let benches = 0

/** Call it at the top of a suite; the folder and the marker are new before each test, or before the suite. */
export function useBench({ name, per = 'test' }: BenchOptions): Bench {
  const leaks = createLeakCheck()
  const cleanups: (() => unknown)[] = []
  let directory: TemporaryDirectory | undefined
  let marker = ''
  let socketsBefore = 0

  const begin = async (): Promise<void> => {
    benches += 1
    marker = `${name}-test-${process.pid}-${benches}`
    directory = await createTemporaryDirectory()
    await leaks.begin()
    socketsBefore = countSockets()
  }
  const end = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    await leaks.check()
    await expectNoProcessLeft(marker)
    await waitFor(() => countSockets() <= socketsBefore, {
      what: `the sockets to be closed (${socketsBefore} before the ${per})`,
    })
    await directory?.remove()
  }
  if (per === 'suite') {
    beforeAll(begin)
    afterAll(end)
  } else {
    beforeEach(begin)
    afterEach(end)
  }

  const bench: Bench = {
    get directory() {
      if (directory === undefined) throw new Error(`There is a folder only while a ${per} runs`)
      return directory
    },
    get marker() {
      return marker
    },
    journal: (server) => bench.directory.file(`${server}.journal`),
    script: (server, script = {}) => ({ marker, journal: bench.journal(server), ...script }),
    fixture: (server, script) => fixtureCommand(bench.script(server, script)),
    defer: (cleanup) => void cleanups.push(cleanup),
  }
  return bench
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => SOCKETS.has(kind)).length
}
