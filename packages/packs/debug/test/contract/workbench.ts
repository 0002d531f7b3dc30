/** What the scenarios share: the fixture's program, its marks, and sessions that are ended after each test. */
import {
  createLeakCheck,
  createTemporaryDirectory,
  type LeakCheck,
  type TemporaryDirectory,
} from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type {
  BreakpointRequest,
  BreakpointState,
  DebugEngine,
  DebugSession,
  Launch,
} from '../../src/engine/debug-session.ts'
import { removeEngineCache, startGuard } from './find-engine.ts'
import { breakpoint, Recorder, readMarks } from './recorder.ts'

/** What some debugger cannot do. */
export type Scenario = 'exception uncaught' | 'child'

export interface EngineFixture {
  readonly language: string
  /** `findEngine` must know it by its name. */
  readonly engine: DebugEngine
  /** Absolute, with the marks. */
  readonly source: string
  /** Makes the program, in `folder` when it must be built, and returns what to launch. Once for all scenarios. */
  prepare(folder: string): Promise<Pick<Launch, 'program'> & Partial<Launch>>
  /** As the language spells them. Default: `i == 5` and `total + value + 40`. */
  readonly expressions?: { readonly condition?: string; readonly sum?: string }
  /** The way to 10 in `config.limits.high`, by the names of variables. */
  readonly nested?: readonly [limits: string, high: string]
  /** What the debugger calls the functions. */
  readonly names?: Readonly<Record<'run' | 'add', RegExp>>
  /** What the engine cannot do, and says so with E_UNSUPPORTED_CAPABILITY; docs/debug.md lists it. */
  readonly lacks: readonly Scenario[]
  /** Of an exception that nobody catches. */
  readonly exception: { readonly type: RegExp; readonly message: RegExp }
  /** The program is started by `run`, and breakpoints are bound by then. */
  readonly startsAtRun?: boolean
  /** The processes of programs and debuggers. Default: our own children. */
  listProcesses?(): Promise<number[]>
  /** Default: no child of ours is left. */
  readonly leaks?: LeakCheck
  /** For the process that `hold-session.ts` is: what it needs to find the engine. */
  holdEnvironment?(): Record<string, string>
}

export interface Workbench {
  readonly fixture: EngineFixture
  readonly source: string
  /** Stops when `i` is 5. */
  readonly condition: string
  mark(name: string): number
  nameOf(name: 'run' | 'add'): RegExp
  launchOf(what: string, more?: Partial<Launch>): Launch
  /** The program is there; nothing of it has run. */
  start(what: string, more?: Partial<Launch>, signal?: AbortSignal): Promise<Recorder>
  /** It runs, with a breakpoint at the mark. */
  startAt(
    what: string,
    name: string,
    more?: Partial<BreakpointRequest>,
  ): Promise<{ recorder: Recorder; session: DebugSession; states: readonly BreakpointState[] }>
}

const SETUP_TIMEOUT_MS = 400_000

export function createWorkbench(fixture: EngineFixture): Workbench {
  const { engine, source } = fixture
  const mark = readMarks(source)
  const leaks = fixture.leaks ?? createLeakCheck()
  const open: Recorder[] = []
  let folder: TemporaryDirectory
  let base: Pick<Launch, 'program'> & Partial<Launch>

  const launchOf: Workbench['launchOf'] = (what, more = {}) => ({
    kind: 'launch',
    args: [what],
    cwd: folder.path,
    env: {},
    stopOnEntry: false,
    options: {},
    ...base,
    ...more,
  })

  const start: Workbench['start'] = async (what, more, signal = new AbortController().signal) => {
    const workspace = source.slice(0, source.lastIndexOf('fixtures'))
    const recorder = new Recorder(await engine.start(launchOf(what, more), { workspace, signal, log: () => {} }))
    open.push(recorder)
    return recorder
  }

  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-debug-')
    base = await fixture.prepare(folder.path)
    if (fixture.leaks === undefined) await startGuard()
  }, SETUP_TIMEOUT_MS)
  afterAll(async () => {
    await removeEngineCache()
    await folder.remove()
  })
  beforeEach(() => leaks.begin())
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ session }) => session.stop({ kill: true })))
    await leaks.check()
  })

  return {
    fixture,
    source,
    condition: fixture.expressions?.condition ?? 'i == 5',
    mark,
    nameOf: (name) => fixture.names?.[name] ?? new RegExp(`\\b${name}\\b`),
    launchOf,
    start,
    async startAt(what, name, more = {}) {
      const recorder = await start(what)
      const states = await recorder.session.setBreakpoints(source, [breakpoint(mark(name), more)])
      await recorder.session.run()
      return { recorder, session: recorder.session, states }
    },
  }
}
