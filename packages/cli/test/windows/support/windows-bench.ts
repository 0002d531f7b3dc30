/**
 * One Windows for a suite, and for each test a person there, with a profile of his own: `%USERPROFILE%`, `%APPDATA%`, and a home of
 * Switchboard in its usual place. Nothing that a test has started may outlive it, and nothing of Windows the suite.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import { type FixtureScript, LineAgent, PROGRAM, waitFor } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { WindowsMachine, type WindowsProgram } from './windows-machine.ts'
import { COMPILE_CACHE, DRIVE_C, endWindows, listPrograms, toWindows, WINDOWS_NODE } from './wine.ts'

/** The machine may be busy with anything. */
export const PATIENCE = { timeout: 90_000, interval: 50 }
/** Spaces, what shells act upon, and letters beyond ASCII: people and companies are called so. */
const PERSON = 'Zoë & Söhne (x)'
const FIXTURE = fileURLToPath(new URL('../../../../testkit/src/fixture/main.ts', import.meta.url))

export interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export class WindowsBench {
  #machine: WindowsMachine | undefined
  readonly #agents: FrontAgent[] = []
  readonly #started = new Set<WindowsProgram>()
  #count = 0
  /** Below drive C, as Linux names it. */
  profile = ''

  get machine(): WindowsMachine {
    if (this.#machine === undefined) throw new Error('There is a Windows only while a suite runs')
    return this.#machine
  }

  async open(): Promise<void> {
    this.#machine = await WindowsMachine.open()
  }

  async close(): Promise<void> {
    await this.#machine?.close()
    await endWindows()
  }

  begin(): void {
    this.#count += 1
    this.profile = join(DRIVE_C, 'users', `${PERSON} ${process.pid}-${this.#count}`)
    mkdirSync(join(this.profile, 'AppData', 'Roaming'), { recursive: true })
    mkdirSync(join(this.profile, 'AppData', 'Local', 'Temp'), { recursive: true })
  }

  async end(): Promise<void> {
    for (const agent of this.#agents.splice(0)) await agent.end()
    // What a test that has failed did not come to end.
    for (const { pid } of this.#started) await this.machine.kill(pid)
    try {
      await this.run(['down'])
      await this.expectNothingLeft()
    } finally {
      rmSync(this.profile, { recursive: true, force: true })
    }
  }

  /** As Linux names it. */
  file(...parts: string[]): string {
    return join(this.profile, ...parts)
  }

  /** Of Switchboard's home, as Linux names it. */
  homeFile(...parts: string[]): string {
    return this.file('.switchboard', ...parts)
  }

  /** Written with its folder. Returns its name there. */
  write(path: string, content: string): string {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return toWindows(path)
  }

  configure(config: object): void {
    this.write(this.homeFile('config.json'), JSON.stringify(config))
  }

  /** How a server of the testkit is started there. */
  fixture(script: FixtureScript = {}): { command: string; args: string[] } {
    const args = ['--disable-warning=ExperimentalWarning', toWindows(FIXTURE), '--script', JSON.stringify(script)]
    return { command: WINDOWS_NODE, args }
  }

  get environment(): Record<string, string> {
    const profile = toWindows(this.profile)
    const temporary = `${profile}\\AppData\\Local\\Temp`
    return {
      ...this.machine.environment,
      USERPROFILE: profile,
      // As a shell of Git's sets it; programs of Windows do not go by it.
      HOME: '/c/somewhere/else',
      HOMEPATH: profile.slice(2),
      APPDATA: `${profile}\\AppData\\Roaming`,
      LOCALAPPDATA: `${profile}\\AppData\\Local`,
      TEMP: temporary,
      TMP: temporary,
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      SWITCHBOARD_HTTP_PORT: '0',
    }
  }

  /** `folder`: as Linux names it. Default: the person's own. */
  async start(argv: readonly string[], folder: string = this.profile): Promise<WindowsProgram> {
    const options = { cwd: toWindows(folder), env: this.environment }
    const program = await this.machine.start(WINDOWS_NODE, [toWindows(PROGRAM), ...argv], options)
    this.#started.add(program)
    void program.ended.then(() => this.#started.delete(program))
    return program
  }

  async run(argv: readonly string[]): Promise<Ended> {
    const program = await this.start(argv)
    program.child.stdin.end()
    return { code: await program.ended, out: program.out(), err: program.err() }
  }

  /** Rejects unless the command printed one object and ended well. */
  async json(argv: readonly string[]): Promise<JsonObject> {
    const { code, out, err } = await this.run([...argv, '--json'])
    expect({ code, err }, out).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }

  async front(folder?: string): Promise<FrontAgent> {
    const agent = new FrontAgent(await this.start(['mcp'], folder))
    this.#agents.push(agent)
    return agent
  }

  /** Its pid in Windows. */
  daemonPid(): number {
    return JSON.parse(readFileSync(this.homeFile('run', 'daemon.json'), 'utf8')).pid
  }

  async kill(pid: number): Promise<void> {
    expect(await this.machine.kill(pid)).toBe(true)
    await waitFor(async () => !(await this.machine.isAlive(pid)), PATIENCE)
  }

  /** Of the programs that run there, those whose command line matches. */
  programs(pattern: RegExp): string[] {
    return listPrograms().filter((command) => pattern.test(command))
  }

  /** Only the driver is there. */
  async expectNothingLeft(): Promise<void> {
    const left = (): string[] => listPrograms().filter((command) => !/driver\.mjs|wineserver/.test(command))
    await waitFor(() => left().length === 0, PATIENCE).catch(() => {})
    expect(left()).toEqual([])
  }
}

/** Call it at the top of a suite. */
export function useWindows(): WindowsBench {
  const bench = new WindowsBench()
  beforeAll(() => bench.open())
  afterAll(() => bench.close())
  beforeEach(() => bench.begin())
  afterEach(() => bench.end())
  return bench
}

/** The agent of one front, at the other end of its pipes. */
export class FrontAgent extends LineAgent {
  readonly program: WindowsProgram

  constructor(program: WindowsProgram) {
    super(program.child.stdout, program.child.stdin, { describe: () => program.err() })
    this.program = program
  }

  async end(): Promise<number | string> {
    this.program.child.stdin.end()
    return this.program.ended
  }
}
