import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DebugSession } from '../../src/engine/debug-session.ts'
import { SecretMasking } from '../../src/snapshot/masking.ts'
import { probeProgram } from '../../src/trace/probe-program.ts'
import { SessionWatch } from '../../src/trace/session-watch.ts'
import { describeTrace, traceFunction } from '../../src/trace/trace-function.ts'
import { findEngine, removeEngineCache } from '../contract/find-engine.ts'

const PROGRAM = `import sys

def price(q):
    base = 100
    rate = 0.1
    if q > 5:
        rate = 0.3
    total = base * (1 - rate)
    return helper(total)

def helper(value):
    return value

def fail(q):
    raise ValueError(f"bad {q}")

def fact(n):
    if n < 2:
        return 1
    return n * fact(n - 1)

def spin():
    turns = 0
    while True:
        turns += 1

def login():
    password = "hunter2hunter2"
    done = True
    return done

what = sys.argv[1]
if what == "price":
    for q in (1, 10):
        print(price(q))
elif what == "fail":
    fail(3)
elif what == "fact":
    fact(3)
    print("done")
elif what == "login":
    login()
else:
    spin()
`

const folders: TemporaryDirectory[] = []
const sessions: DebugSession[] = []
let program: string

beforeEach(async () => {
  const folder = await createTemporaryDirectory('switchboard-trace-')
  folders.push(folder)
  program = join(folder.path, 'app.py')
  await writeFile(program, PROGRAM)
})

afterAll(() => removeEngineCache())
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.stop({ kill: true })))
  await Promise.all(folders.splice(0).map((folder) => folder.remove()))
})

async function start(what: string): Promise<DebugSession> {
  const workspace = folders[0]?.path ?? ''
  const session = await findEngine('debugpy').start(
    {
      kind: 'launch',
      program,
      args: [what],
      cwd: workspace,
      env: {},
      stopOnEntry: false,
      options: { showReturnValue: true },
    },
    { workspace, signal: new AbortController().signal, log: () => undefined },
  )
  sessions.push(session)
  return session
}

async function trace(what: string, line: number, budget: { maxSteps?: number; maxBytes?: number; time?: number } = {}) {
  const session = await start(what)
  const watch = new SessionWatch(session)
  await session.setBreakpoints(program, [{ id: 'trace', line }])
  await session.setExceptionMode('uncaught')
  await session.run()
  const { signal } = new AbortController()
  const stop = await watch.next(signal, 30_000)
  if (stop.kind !== 'stopped') throw new Error(`it did not stop: ${JSON.stringify(stop)}`)
  await session.setBreakpoints(program, [])
  const { maxSteps = 100, maxBytes = 10_000, time = 30_000 } = budget
  return traceFunction(watch, stop, {
    signal,
    deadline: performance.now() + time,
    maxSteps,
    maxBytes,
    masking: new SecretMasking(),
  })
}

function budget(more: { time?: number; maxHits?: number; maxBytes?: number } = {}) {
  const { time = 30_000, maxHits = 100, maxBytes = 10_000 } = more
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + time,
    maxHits,
    maxBytes,
    masking: new SecretMasking(),
  }
}

describe('traceFunction', () => {
  it('tells every line of one call with what it changed, and what came back', async () => {
    const result = await trace('price', 4)
    expect(describeTrace(result)).toBe('enter price(q=1) →4 base=100 →5 rate=0.1 →6 →8 total=90.0 →9 returned 90.0')
  })

  it('follows one call of a recursive function, not the inner ones', async () => {
    const result = await trace('fact', 18)
    expect(describeTrace(result)).toBe('enter fact(n=3) →18 →20 returned 6')
  })

  it('tells an exception that ends the call', async () => {
    const result = await trace('fail', 15)
    expect(result).toMatchObject({ outcome: 'threw', steps: [{ line: 15 }] })
    expect(result.text).toContain('bad 3')
  })

  it('gives what it has when a budget is used up', async () => {
    expect(await trace('spin', 23, { maxSteps: 5 })).toMatchObject({ outcome: 'steps', steps: { length: 5 } })
    const byBytes = await trace('spin', 23, { maxBytes: 100 })
    expect(byBytes.outcome).toBe('bytes')
    expect(describeTrace(byBytes).length).toBeLessThan(250)
  })

  it('masks what is called like a secret', async () => {
    expect(describeTrace(await trace('login', 28))).not.toContain('hunter2')
  })
})

describe('probeProgram', () => {
  it('gives the values at several lines over a whole run', async () => {
    const session = await start('price')
    const report = await probeProgram(
      session,
      [
        { path: program, line: 6, expressions: ['q', 'base + 1'] },
        { path: program, line: 9, expressions: ['total'] },
      ],
      budget(),
    )
    expect(report.hits).toEqual([
      { point: 0, values: ['1', '101'] },
      { point: 1, values: ['90.0'] },
      { point: 0, values: ['10', '101'] },
      { point: 1, values: ['70.0'] },
    ])
    expect(report).toMatchObject({ outcome: 'ended', exitCode: 0, points: [{ hits: 2, bound: true }, { hits: 2 }] })
    expect(report.output).toContain('90.0')
  })

  it('keeps so many hits as it may and counts the others', async () => {
    const session = await start('price')
    const report = await probeProgram(session, [{ path: program, line: 6, expressions: ['q'] }], budget({ maxHits: 1 }))
    expect(report.hits).toEqual([{ point: 0, values: ['1'] }])
    expect(report.points).toEqual([{ hits: 2, bound: true }])
  })

  it('answers when the time is over, with what it has', async () => {
    const session = await start('spin')
    const points = [{ path: program, line: 25, expressions: ['turns'], condition: 'turns < 3' }]
    const report = await probeProgram(session, points, budget({ time: 4_000 }))
    expect(report).toMatchObject({ outcome: 'time', points: [{ hits: 3 }] })
  })

  it('shows an expression that fails as a value, and goes on', async () => {
    const session = await start('price')
    const points = [{ path: program, line: 6, expressions: ['no_such_name'] }]
    const report = await probeProgram(session, points, budget())
    expect(report.points).toMatchObject([{ hits: 2 }])
    expect(report.hits[0]?.values.join()).toContain('no_such_name')
  })

  it('stops, asks and goes on where the engine has no logpoints', async () => {
    const session = await start('price')
    const plain = Object.create(session, {
      capabilities: { value: { ...session.capabilities, logpoints: false } },
    })
    const bound = bindMethods(plain, session)
    const report = await probeProgram(bound, [{ path: program, line: 6, expressions: ['q', 'nope'] }], budget())
    expect(report.hits.map(({ values }) => values[0])).toEqual(['1', '10'])
    expect(report.hits[0]?.values[1]).toMatch(/^<.*nope/)
  })
})

/** The session's methods use private fields, which an object made of it does not have. */
function bindMethods(target: DebugSession, session: DebugSession): DebugSession {
  return new Proxy(target, {
    get: (object, key) => {
      if (key === 'capabilities') return object.capabilities
      const value: unknown = Reflect.get(session, key, session)
      return typeof value === 'function' ? value.bind(session) : value
    },
  })
}
