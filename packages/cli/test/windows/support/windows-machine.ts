/** Programs of Windows, started by the driver inside (fixtures/driver.mjs), with pipes that reach out here. */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  createTemporaryDirectory,
  type Program,
  type TemporaryDirectory,
  waitFor,
  watchProgram,
} from '@switchboard/testkit'
import { beginWindows, toWindows, WINDOWS_NODE, wineEnvironment } from './wine.ts'

const DRIVER = fileURLToPath(new URL('../fixtures/driver.mjs', import.meta.url))
/** The first program also starts Windows; the machine may be busy with anything. */
const START_MS = 120_000

/** What the driver tells of a program, or answers. */
interface Told {
  readonly id?: number
  readonly environment?: Record<string, string>
  readonly pid?: number
  readonly stdout?: string
  readonly stderr?: string
  readonly error?: string
  readonly exit?: number | string
  readonly close?: number | string
  readonly value?: boolean
}

export interface WindowsCommand {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export class WindowsMachine {
  /** What programs of Windows have in their environment there. */
  readonly environment: Readonly<Record<string, string>>
  readonly #driver: ChildProcess
  readonly #socket: Socket
  readonly #directory: TemporaryDirectory
  readonly #waiting = new Map<number, (told: Told) => void>()
  #lastId = 0

  private constructor(driver: ChildProcess, socket: Socket, directory: TemporaryDirectory, lines: Lines, first: Told) {
    this.#driver = driver
    this.#socket = socket
    this.#directory = directory
    this.environment = first.environment ?? {}
    lines.onLine = (told) => this.#waiting.get(told.id ?? 0)?.(told)
  }

  static async open(): Promise<WindowsMachine> {
    beginWindows()
    const directory = await createTemporaryDirectory('switchboard-wine-')
    const [portFile, said] = [directory.file('port'), directory.file('driver.txt')]
    // A pipe of Linux is nothing that Node could write to in there.
    const output = openSync(said, 'w')
    const driver = spawn('wine', [WINDOWS_NODE, toWindows(DRIVER), toWindows(portFile)], {
      env: wineEnvironment(),
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    const isThere = (): boolean => {
      if (driver.exitCode !== null) throw new Error(`it ended with ${driver.exitCode}: ${readFileSync(said, 'utf8')}`)
      return existsSync(portFile)
    }
    await waitFor(isThere, { what: 'the driver inside of Windows', timeout: START_MS, interval: 50 })
    const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1')
    const lines = new Lines(socket)
    return new WindowsMachine(driver, socket, directory, lines, await lines.first)
  }

  /** A program in the background there, once it runs. */
  async start(command: string, args: readonly string[], options: WindowsCommand = {}): Promise<WindowsProgram> {
    const id = this.#newId()
    const child = new WindowsChild((message) => this.#tell({ id, ...message }))
    const program = watchProgram(child)
    const { promise: started, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.set(id, (told) => {
      child.receive(told)
      if (told.pid !== undefined) resolve()
      if (told.error !== undefined) reject(new Error(`${command} could not be started: ${told.error}`))
    })
    this.#tell({ id, act: 'spawn', command, args, ...options })
    await started
    // It was not known when the program was first watched.
    return { ...program, pid: child.pid ?? 0 }
  }

  /** Whether there was such a process. Nothing can be done against it, nor about it. */
  kill(pid: number): Promise<boolean> {
    return this.#signal(pid, 'SIGKILL')
  }

  isAlive(pid: number): Promise<boolean> {
    return this.#signal(pid, 0)
  }

  async close(): Promise<void> {
    const ended = once(this.#driver, 'exit')
    this.#socket.destroy()
    await ended
    await this.#directory.remove()
  }

  async #signal(pid: number, signal: string | number): Promise<boolean> {
    const id = this.#newId()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting.set(id, ({ value = false }) => resolve(value))
    this.#tell({ id, act: 'kill', pid, signal })
    return promise
  }

  #newId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #tell(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`)
  }
}

export type WindowsProgram = Program<WindowsChild>

/** One end of a program's pipes; the other ends are inside of Windows. */
class WindowsChild extends EventEmitter {
  readonly stdin: Writable
  readonly stdout: Readable & PassThrough = new PassThrough()
  readonly stderr: Readable & PassThrough = new PassThrough()
  pid: number | undefined

  constructor(tell: (message: object) => void) {
    super()
    this.stdin = new Writable({
      write(chunk: Buffer, _encoding, done) {
        tell({ act: 'write', data: chunk.toString('base64') })
        done()
      },
      final(done) {
        tell({ act: 'end' })
        done()
      },
    })
  }

  receive({ pid, stdout, stderr, exit, close }: Told): void {
    this.pid ??= pid
    if (stdout !== undefined) this.stdout.write(Buffer.from(stdout, 'base64'))
    if (stderr !== undefined) this.stderr.write(Buffer.from(stderr, 'base64'))
    if (exit !== undefined) this.emit('exit', exit)
    if (close === undefined) return
    this.stdout.end()
    this.stderr.end()
    // All that came is read by then.
    setImmediate(() => this.emit('close', close, null))
  }
}

/** Messages of the driver, a line each. The first is there before anybody can ask. */
class Lines {
  readonly first: Promise<Told>
  onLine: (told: Told) => void = () => {}

  constructor(socket: Socket) {
    const { promise, resolve } = Promise.withResolvers<Told>()
    this.first = promise
    let isFirst = true
    let rest = ''
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        // Both sides of it are ours.
        const told = JSON.parse(line) as Told
        if (isFirst) resolve(told)
        else this.onLine(told)
        isFirst = false
      }
    })
  }
}
