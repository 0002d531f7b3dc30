/** Who may report to our debugger, and what becomes of the connection. The far side is a fake; the sockets are real. */
import { connect, type Socket } from 'node:net'
import { OrphanGuard } from '@switchboard/process'
import { waitFor } from '@switchboard/testkit'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { AdapterProcess } from '../../../src/dap/adapter-process.ts'
import { DapMessageReader, encodeFrame } from '../../../src/dap/dap-message-reader.ts'
import { PydevdHub } from '../../../src/dap/engines/pydevd-hub.ts'
import type { ChildConnection } from '../../../src/dap/session-life.ts'
import type { Wire } from '../../../src/dap/wire.ts'

const guard = new OrphanGuard()
const open: { close(): void }[] = []
const processes: AdapterProcess[] = []
const signal = new AbortController().signal
const patience = { signal, timeout: 20_000 }

afterEach(async () => {
  for (const one of open.splice(0)) one.close()
  for (const one of processes.splice(0)) await one.stop({ input: 0, terminate: 300 })
})
afterAll(() => guard.close())

async function listen(): Promise<PydevdHub> {
  const hub = await PydevdHub.listen()
  open.push(hub)
  return hub
}

function run(script: string): AdapterProcess {
  const wanted = { command: process.execPath, args: ['-e', script], cwd: process.cwd(), env: {} }
  const child = new AdapterProcess(wanted, guard)
  processes.push(child)
  return child
}

/** As pydevd does: it answers, and it understands a header that is followed by another. */
class FakePython {
  readonly socket: Socket
  readonly received: Record<string, unknown>[] = []
  nudges = 0
  isSentAway = false
  /** Its own half of the connection. */
  get hasEnded(): boolean {
    return this.socket.writableEnded
  }

  constructor(hub: PydevdHub, { token = hub.token, pid = 1, ppid = 0, early = {} } = {}) {
    const [host = '', port = ''] = hub.address.split(':')
    this.socket = connect({ port: Number(port), host, allowHalfOpen: true })
    open.push({ close: () => this.socket.destroy() })
    this.socket.on('error', () => {})
    this.socket.on('end', () => {
      this.isSentAway = true
    })
    const reader = new DapMessageReader({
      onMessage: (message) => {
        this.received.push(message)
        const { command, seq } = message
        if (command === 'pydevdAuthorize' && Object.keys(early).length > 0) this.say(early)
        if (command === 'pydevdAuthorize') this.answer(seq, { clientAccessToken: token })
        if (command === 'pydevdSystemInfo') {
          this.answer(seq, {
            python: { version: '3.11.2final0' },
            process: { pid, ppid, executable: '/usr/bin/python3' },
          })
        }
      },
      onNoise: () => {},
      onBroken: () => {},
    })
    this.socket.on('data', (chunk: Buffer) => {
      const parts = chunk.toString().split('Content-Length: 0\r\n')
      this.nudges += parts.length - 1
      reader.push(Buffer.from(parts.join('')))
    })
  }

  answer(sequence: unknown, body: object = {}): void {
    this.say({ type: 'response', request_seq: sequence, success: true, body })
  }

  say(message: object): void {
    this.socket.write(encodeFrame(message))
  }
}

function listenTo(wire: Wire): { messages: Record<string, unknown>[]; closed: string | undefined } {
  const heard: { messages: Record<string, unknown>[]; closed: string | undefined } = { messages: [], closed: undefined }
  wire.open({
    onMessage: (message) => heard.messages.push(message),
    onNoise: () => {},
    onClosed: (reason) => {
      heard.closed = reason
    },
  })
  return heard
}

async function acceptFirst(hub: PydevdHub, child: AdapterProcess, more = {}) {
  const fake = new FakePython(hub, more)
  const first = await hub.accept(child, patience)
  if (first === undefined) throw new Error('it was not accepted')
  return { fake, ...first }
}

const ENDLESS = 'setInterval(() => {}, 1000)'

describe('the debugger of a Python program', () => {
  test('is told by the program who it is', async () => {
    const { python } = await acceptFirst(await listen(), run(ENDLESS), { pid: 77, ppid: 5 })
    expect(python).toEqual({ pid: 77, parent: 5, executable: '/usr/bin/python3', version: '3.11.2' })
  })

  test('sends strangers away, and waits on for its program', async () => {
    const hub = await listen()
    const child = run(ENDLESS)
    const stranger = new FakePython(hub, { token: 'a guess' })
    await waitFor(() => stranger.isSentAway)
    expect(stranger.received.map(({ command }) => command)).toEqual(['pydevdAuthorize', 'pydevdSystemInfo'])
    const silent = new FakePython(hub)
    silent.socket.removeAllListeners('data')
    const { connection } = await acceptFirst(hub, child)
    expect(connection).toBeDefined()
  })

  test('does not wait for a program that has ended, nor for one that is given up', async () => {
    expect(await (await listen()).accept(run('process.exit(3)'), patience)).toBeUndefined()
    const cancelled = new AbortController()
    const waiting = (await listen()).accept(run(ENDLESS), { signal: cancelled.signal, timeout: 20_000 })
    cancelled.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'E_CANCELLED' })
    await expect((await listen()).accept(run(ENDLESS), { signal, timeout: 10 })).rejects.toMatchObject({
      code: 'E_TIMEOUT',
    })
  })

  test('leads a process to the session of its parent, and one of unknown descent to the program’s', async () => {
    const hub = await listen()
    await acceptFirst(hub, run(ENDLESS), { pid: 10 })
    const heard: [string, ChildConnection][] = []
    hub.onChildOf(10, (child) => heard.push(['program', child]))
    new FakePython(hub, { pid: 11, ppid: 10 })
    await waitFor(() => heard.length === 1)
    heard[0]?.[1].onChild?.((child) => heard.push(['child', child]))
    new FakePython(hub, { pid: 12, ppid: 11 })
    await waitFor(() => heard.length === 2)
    new FakePython(hub, { pid: 13, ppid: 999 })
    await waitFor(() => heard.length === 3)
    expect(heard.map(([who, { name }]) => `${who}: ${name}`)).toEqual([
      'program: Subprocess 11',
      'child: Subprocess 12',
      'program: Subprocess 13',
    ])
  })
})

describe('a connection without an adapter', () => {
  test('acknowledges what needs no answer by a header that the next message replaces', async () => {
    const { fake, connection } = await acceptFirst(await listen(), run(ENDLESS))
    const wire = connection.toWire()
    const heard = listenTo(wire)
    // More often than what was said before could be acknowledged late.
    for (let round = 0; round < 6; round++) {
      const before = fake.nudges
      fake.say({ type: 'event', event: 'module' })
      await waitFor(() => fake.nudges > before)
    }
    wire.send({ seq: 1, type: 'request', command: 'threads', arguments: {} })
    await waitFor(() => fake.received.some(({ command }) => command === 'threads'))
    fake.answer(1)
    await waitFor(() => heard.messages.at(-1)?.type === 'response')
    expect(heard.messages).toHaveLength(7)
  })

  test('keeps what is said before anybody listens', async () => {
    const early = { type: 'event', event: 'thread' }
    const { connection } = await acceptFirst(await listen(), run(ENDLESS), { early })
    expect(listenTo(connection.toWire()).messages).toEqual([early])
  })

  test('resumes and pauses all threads', async () => {
    const hub = await listen()
    const { fake, connection } = await acceptFirst(hub, run(ENDLESS))
    const wire = connection.toWire()
    listenTo(wire)
    for (const command of ['continue', 'pause', 'next']) {
      wire.send({ seq: 1, type: 'request', command, arguments: { threadId: 3 } })
    }
    await waitFor(() => fake.received.some(({ command }) => command === 'next'))
    expect(fake.received.slice(2).map((request) => request.arguments)).toEqual([
      { threadId: '*' },
      { threadId: '*' },
      { threadId: 3 },
    ])
  })

  test('answers for a program that ends while it is let go on, and is closed with the process only', async () => {
    const hub = await listen()
    const child = run("process.stdin.on('data', () => process.exit(0))")
    const { fake, connection } = await acceptFirst(hub, child)
    const wire = connection.toWire(child.exited)
    const heard = listenTo(wire)
    wire.send({ seq: 9, type: 'request', command: 'continue', arguments: { threadId: 1 } })
    await waitFor(() => fake.received.some(({ command }) => command === 'continue'))
    fake.say({ type: 'event', event: 'exited', body: { pydevdReason: 'processReplaced' } })
    fake.say({ type: 'event', event: 'terminated' })
    fake.socket.end()
    await waitFor(() => heard.messages.length === 1)
    expect(heard.messages).toMatchObject([{ type: 'response', request_seq: 9, success: true }])
    expect(heard.closed).toBeUndefined()
    child.stdin.write('end\n')
    await waitFor(() => heard.closed !== undefined)
  })

  test('that a forked process holds open ends with the program', async () => {
    const child = run("process.stdin.on('data', () => process.exit(0))")
    const { fake, connection } = await acceptFirst(await listen(), child)
    const heard = listenTo(connection.toWire(child.exited))
    child.stdin.write('end\n')
    await waitFor(() => heard.closed !== undefined)
    expect(fake.hasEnded).toBe(false)
  })
})
