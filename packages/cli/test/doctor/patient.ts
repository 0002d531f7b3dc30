/** A person's machine in a temporary folder, and the doctor's visit to it. */
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Diagnosis } from '../../src/doctor/examine.ts'
import { type Outcome, TestHome, type TestIoOptions } from '../run-main.ts'

export interface Visit extends Outcome {
  readonly findings: readonly Diagnosis[]
  /** `level message` of one check. */
  of(check: string): string[]
}

export class Patient {
  readonly home: TestHome

  private constructor(home: TestHome) {
    this.home = home
  }

  /** A free port, so that a Switchboard of the machine itself makes no difference. */
  static async create(config: object | string = { gateway: { port: 0 } }): Promise<Patient> {
    const home = await TestHome.create(typeof config === 'string' ? config : JSON.stringify(config, null, 2))
    onTestFinished(() => home[Symbol.asyncDispose]())
    await chmod(home.path, 0o700)
    await chmod(home.configFile, 0o600)
    await mkdir(home.file('user'), { mode: 0o700 })
    await mkdir(home.file('project', 'deep'), { recursive: true })
    return new Patient(home)
  }

  /** Below the person's home folder. */
  user(...parts: string[]): string {
    return this.home.file('user', ...parts)
  }

  /** Below the project, in whose folder `deep` the doctor is called. */
  work(...parts: string[]): string {
    return this.home.file('project', ...parts)
  }

  async write(file: string, content: unknown, mode = 0o600): Promise<void> {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2), { mode })
    await chmod(file, mode)
  }

  async writeBytes(file: string, bytes: string | Uint8Array, mode = 0o600): Promise<void> {
    await writeFile(file, bytes)
    await chmod(file, mode)
  }

  read(file: string): Promise<string> {
    return readFile(file, 'utf8')
  }

  /** Of the files in a folder. */
  list(folder: string): Promise<string[]> {
    return readdir(folder)
  }

  run(argv: readonly string[], options: TestIoOptions = {}): Promise<Outcome> {
    const env = { HOME: this.user(), ...options.env }
    return this.home.run(['doctor', ...argv], { cwd: this.work('deep'), ...options, env })
  }

  async visit(argv: readonly string[] = [], options: TestIoOptions = {}): Promise<Visit> {
    const outcome = await this.run([...argv, '--json'], options)
    const { findings } = JSON.parse(outcome.out) as { findings: Diagnosis[] }
    return {
      ...outcome,
      findings,
      of: (check) => findings.filter((one) => one.check === check).map(({ level, message }) => `${level} ${message}`),
    }
  }
}

/** Where VS Code keeps a person's settings on Linux. */
export const CODE_USER = join('.config', 'Code', 'User')
