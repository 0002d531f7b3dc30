/** One language's fixture program in a workspace of its own, built once, and the whole pack on it: what agents call. */
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import {
  callPack,
  createLeakCheck,
  createTemporaryDirectory,
  findByMarker,
  INSTANCE,
  type Reading,
  type TemporaryDirectory,
} from '@switchboard/testkit'
import type { PackInstance } from '@switchboard/toolkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createDebugPack } from '../../src/create-debug-pack.ts'
import { compile } from '../contract/compile.ts'
import { readMarks } from '../contract/recorder.ts'

export interface HardshipLanguage {
  readonly name: string
  readonly engine: string
  /** Below `fixtures`. */
  readonly source: string
  /** Where it has to be built: the program, in the workspace. */
  readonly build?: { readonly command: string; readonly args: readonly string[]; readonly program: string }
  /** Calls the function that never comes back. */
  readonly endless: string
  /** The debugger ends such a call by itself, sooner or later; else the program stays at it. */
  readonly endsEvaluations: boolean
  /** Where 100 MB go, and as what: all that the language is quick enough for. */
  readonly floods: readonly (readonly [stream: 'stdout' | 'stderr', shape: 'lines' | 'one line'])[]
  /** The debugger passes 100 MB on within a minute. */
  readonly isQuick: boolean
}

export interface HardshipBench extends HardshipLanguage {
  /** As debug_start takes it. */
  readonly program: string
  /** Relative to the workspace. */
  readonly file: string
  mark(name: string): number
  call(tool: string, args?: JsonObject, rest?: { signal?: AbortSignal; instance?: string }): Promise<Reading>
  start(args: readonly string[], more?: JsonObject): Promise<Reading>
  /** Processes that the program has started, by what is in their command line. */
  family(): { readonly script: string; alive(): Promise<number>; end(): Promise<void> }
}

const SETUP_TIMEOUT_MS = 400_000
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))

export function useHardshipBench(language: HardshipLanguage): HardshipBench {
  const source = join(fixtures, language.source)
  const file = language.source.slice(language.source.lastIndexOf('/') + 1)
  const program = language.build?.program ?? file
  const mark = readMarks(source)
  const leaks = createLeakCheck()
  let folder: TemporaryDirectory
  let pack: PackInstance

  const call: HardshipBench['call'] = (tool, args = {}, { signal, instance = INSTANCE } = {}) =>
    callPack(pack, tool, args, {
      caller: { era: 'legacy', capabilities: {}, instance, workspace: folder.path },
      ...(signal === undefined ? {} : { signal }),
    })

  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-hardship-')
    await cp(dirname(source), folder.path, { recursive: true })
    const { build } = language
    if (build !== undefined) await compile(build.command, build.args, folder.path)
    pack = createDebugPack({ log: createMemoryLogger(), strict: true, maxSessions: 20 })
    // The guard is one process for all sessions: it must be there before leaked processes are counted.
    await call('debug_start', { program, args: ['leave'] })
  }, SETUP_TIMEOUT_MS)
  afterAll(async () => {
    await pack.close()
    await folder.remove()
  })
  beforeEach(() => leaks.begin())
  afterEach(async () => {
    await call('debug_stop', { all: true })
    await call('breakpoint_clear_project')
    await leaks.check()
  })

  return {
    ...language,
    program,
    file,
    mark,
    call,
    start: (args, more = {}) => call('debug_start', { program, args: [...args], ...more }),
    family: createFamily,
  }
}

/** Children and their children: in the same group, in groups of their own, and without a parent from the beginning. */
function createFamily(): ReturnType<HardshipBench['family']> {
  const time = `300.${Math.floor(Math.random() * 1e12)}`
  const two = `sleep ${time} & setsid sleep ${time} &`
  return {
    script: `${two} setsid sh -c '${two} wait' & (setsid sh -c '${two}'); wait`,
    alive: async () => (await findByMarker(time)).filter(({ command }) => command.startsWith('sleep')).length,
    async end() {
      for (const { pid } of await findByMarker(time)) process.kill(pid, 'SIGKILL')
    },
  }
}

/** How many processes the script comes to. */
export const FAMILY_SIZE = 6
