/** A machine with clients in a temporary folder, on which `init` is run in this process. */
import { lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readJsonText } from '@switchboard/config/text'
import type { InitOptions } from '../../src/init/plan-init.ts'
import { main } from '../../src/main.ts'
import { Patient } from '../doctor/patient.ts'
import type { Outcome, TestIoOptions } from '../run-main.ts'
import type { Sample } from './samples.ts'

export interface Snapshot {
  readonly [path: string]: string
}

const EXTENSION = { contributes: { mcpServerDefinitionProviders: [{ id: 'switchboard', label: 'Switchboard' }] } }

export class InitMachine {
  readonly patient: Patient

  private constructor(patient: Patient) {
    this.patient = patient
  }

  static async create(config?: object): Promise<InitMachine> {
    return new InitMachine(await Patient.create(config))
  }

  /** Returns where its client looks for it. */
  async place(sample: Sample): Promise<string> {
    const { patient } = this
    const file = sample.place === 'user' ? patient.user(...sample.path) : patient.work(...sample.path)
    const target = sample.linkTo === undefined ? file : patient.user(...sample.linkTo)
    await patient.write(target, '')
    await patient.writeBytes(target, sample.bytes, sample.mode)
    if (target !== file) {
      await mkdir(dirname(file), { recursive: true })
      await symlink(target, file)
    }
    if (sample.hasExtension === true) await this.installExtension()
    // A project's file is read for clients that are on the machine.
    if (sample.place === 'project') await mkdir(patient.user(sample.path[0] === '.mcp.json' ? '.claude' : '.cursor'))
    return file
  }

  async installExtension(): Promise<void> {
    const folder = this.patient.user('.vscode', 'extensions', 'somebody.switchboard-0.1.0')
    await this.patient.write(join(folder, 'package.json'), EXTENSION)
  }

  /** Nothing on the PATH, so that no client of the machine itself is found. */
  get #env(): Record<string, string> {
    return { HOME: this.patient.user(), PATH: '' }
  }

  run(argv: readonly string[], options: TestIoOptions & { input?: string } = {}): Promise<Outcome> {
    const { env, ...rest } = options
    const own = { ...this.#env, ...env }
    return this.patient.home.run(['init', ...argv], { cwd: this.patient.work('deep'), ...rest, env: own })
  }

  async json(argv: readonly string[]): Promise<Record<string, unknown>> {
    const io = this.patient.home.io({ cwd: this.patient.work('deep'), env: this.#env })
    await main(['init', ...argv, '--json'], io)
    return JSON.parse(io.stdout.text)
  }

  /** As the command would plan. */
  async options(): Promise<InitOptions> {
    const { home } = this.patient
    return {
      machine: { env: this.#env, platform: process.platform, home: this.patient.user() },
      cwd: this.patient.work('deep'),
      run: ['node', 'switchboard.mjs', 'mcp'],
      port: 0,
      configFile: home.configFile,
      configText: await readFile(home.configFile, 'utf8'),
      clients: [],
      skip: [],
      isProjectTaken: false,
      isRemoteTaken: false,
      usesVariables: false,
    }
  }

  /** The servers of our own configuration. */
  async servers(): Promise<Record<string, Record<string, unknown>>> {
    const reading = readJsonText(await readFile(this.patient.home.configFile, 'utf8'))
    if (reading.problem !== undefined) throw new Error(reading.problem)
    return (reading.value as { mcpServers?: Record<string, Record<string, unknown>> }).mcpServers ?? {}
  }

  /** Every file, link and folder of the person and the project, with its mode and its bytes. */
  async look(): Promise<Snapshot> {
    const found: Record<string, string> = {}
    for (const root of [this.patient.user(), this.patient.work()]) {
      for (const name of await readdir(root, { recursive: true })) {
        const path = join(root, name)
        const stats = await lstat(path)
        const mode = (stats.mode & 0o777).toString(8)
        found[path] = stats.isSymbolicLink()
          ? `link ${await readlink(path)}`
          : stats.isDirectory()
            ? 'folder'
            : `${mode} ${stats.isFile() ? (await readFile(path)).toString('base64') : 'other'}`
      }
    }
    return found
  }
}
