/** Runs `main` in this process on streams of its own, and keeps what it wrote. */
import { mkdir, writeFile } from 'node:fs/promises'
import { PassThrough, Writable } from 'node:stream'
import type { SwitchboardInput } from '@switchboard/daemon/configuration'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { ALONE_NOTE, RESTING_NOTE } from '../src/backend/run-with-backend.ts'
import { main } from '../src/main.ts'
import type { Interruption, Io } from '../src/program/io.ts'

export class CapturedStream extends Writable {
  text = ''
  readonly isTTY: boolean
  columns: number
  rows = 40

  constructor({ isTTY = false, columns = 80 } = {}) {
    super({ decodeStrings: false })
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }

  /** Without colours and cursor movements. */
  get plain(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
    return this.text.replace(/\x1b\[[?0-9;]*[A-Za-z]/g, '')
  }
}

export interface TestIo extends Io {
  readonly stdin: PassThrough & { isTTY: boolean }
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
}

export interface TestIoOptions {
  readonly env?: Record<string, string | undefined>
  readonly cwd?: string
  readonly isTTY?: boolean
  readonly columns?: number
}

export function createTestIo({
  env = {},
  cwd = process.cwd(),
  isTTY = false,
  columns = 80,
}: TestIoOptions = {}): TestIo {
  const ending = new AbortController()
  const forcing = new AbortController()
  const interrupt = (interruption: Interruption): void => {
    if (ending.signal.aborted) forcing.abort(interruption)
    else ending.abort(interruption)
  }
  return {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stdout: new CapturedStream({ isTTY, columns }),
    stderr: new CapturedStream({ isTTY, columns }),
    env: { PATH: process.env.PATH, ...env },
    cwd,
    signal: ending.signal,
    force: forcing.signal,
    interrupt,
    surviveStrays: () => {},
  }
}

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A home folder of its own, and `main` run in it. */
export class TestHome implements AsyncDisposable {
  readonly #directory: TemporaryDirectory

  private constructor(directory: TemporaryDirectory) {
    this.#directory = directory
  }

  static async create(config?: SwitchboardInput | string): Promise<TestHome> {
    const home = new TestHome(await createTemporaryDirectory('switchboard-cli-'))
    if (config !== undefined) await home.configure(config)
    return home
  }

  get path(): string {
    return this.#directory.path
  }

  get configFile(): string {
    return this.#directory.file('config.json')
  }

  file(...parts: string[]): string {
    return this.#directory.file(...parts)
  }

  async configure(config: SwitchboardInput | string): Promise<void> {
    await mkdir(this.path, { recursive: true })
    await writeFile(this.configFile, typeof config === 'string' ? config : JSON.stringify(config, null, 2))
  }

  io(options: TestIoOptions = {}): TestIo {
    return createTestIo({ ...options, env: { SWITCHBOARD_HOME: this.path, ...options.env } })
  }

  async run(argv: readonly string[], options: TestIoOptions & { readonly input?: string } = {}): Promise<Outcome> {
    const io = this.io(options)
    if (options.input !== undefined) io.stdin.end(options.input)
    const code = await main(argv, io)
    // That no daemon runs is said by every command that would rather use one; its own tests look for it.
    const err = [ALONE_NOTE, RESTING_NOTE].reduce((text, note) => text.replace(`${note}\n`, ''), io.stderr.plain)
    return { code, out: this.normalize(io.stdout.plain), err: this.normalize(err) }
  }

  /** What differs from run to run: the folder, process ids, how long something has been up. */
  normalize(text: string): string {
    return text
      .replaceAll(this.path, '<home>')
      .replace(/<home>\\+/g, '<home>/')
      .replace(/(stdio\s+(?:legacy|modern)) +\d+ +\d+s/g, '$1 <pid> <up>')
      .replace(/pid \d+/g, 'pid <pid>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory.remove()
  }
}
