/** Small programs written for one test, and sessions that are ended after it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Attach, DebugSession, Launch } from '../../src/engine/debug-session.ts'
import { findEngine, startGuard } from '../contract/find-engine.ts'
import { breakpoint, Recorder } from '../contract/recorder.ts'
import { lineOf } from '../helpers/debug-bench.ts'

export interface NodeBench {
  path(name: string): string
  /** Returns the path. */
  write(name: string, text: string): string
  start(program: string, more?: Partial<Launch>, signal?: AbortSignal): Promise<Recorder>
  attach(where: Partial<Attach>): Promise<Recorder>
  record(session: DebugSession): Recorder
  /** Runs to a breakpoint on the line that has the text. */
  runTo(
    program: string,
    file: string,
    text: string,
    more?: Parameters<typeof breakpoint>[1],
  ): Promise<{ recorder: Recorder; session: DebugSession; threadId: number }>
}

export function createNodeBench(): NodeBench {
  const engine = findEngine('node')
  const leaks = createLeakCheck()
  const open: Recorder[] = []
  const texts = new Map<string, string>()
  let folder: TemporaryDirectory

  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-node-')
    await startGuard()
  })
  afterAll(() => folder.remove())
  beforeEach(() => leaks.begin())
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ session }) => session.stop({ kill: true })))
    await leaks.check()
  })

  const context = (signal = new AbortController().signal) => ({ workspace: folder.path, signal, log: () => {} })
  const bench: NodeBench = {
    path: (name) => join(folder.path, name),
    write(name, text) {
      const path = join(folder.path, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      texts.set(path, text)
      return path
    },
    record(session) {
      const recorder = new Recorder(session)
      open.push(recorder)
      return recorder
    },
    async start(program, more = {}, signal) {
      const launch: Launch = {
        kind: 'launch',
        program,
        args: [],
        cwd: folder.path,
        env: {},
        stopOnEntry: false,
        ...more,
        options: { runtimeExecutable: process.execPath, ...more.options },
      }
      return bench.record(await engine.start(launch, context(signal)))
    },
    async attach(where) {
      return bench.record(await engine.start({ kind: 'attach', cwd: folder.path, options: {}, ...where }, context()))
    },
    async runTo(program, file, text, more) {
      const recorder = await bench.start(program)
      const { session } = recorder
      await session.setBreakpoints(file, [breakpoint(lineOf(texts.get(file) ?? '', text), more)])
      await session.run()
      const { threadId } = await recorder.nextStop()
      return { recorder, session, threadId }
    },
  }
  return bench
}
