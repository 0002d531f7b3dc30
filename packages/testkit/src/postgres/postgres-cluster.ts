/**
 * A PostgreSQL of a test's own: made in a temporary folder, reached by a free port of 127.0.0.1, run by somebody without rights
 * where we are root, since the server refuses root. Everybody who gets there is let in, but the users that are to show a password.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chown, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { type Program, watchProgram } from '../program.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../temporary-directory.ts'
import { waitFor } from '../wait-for.ts'
import { findPostgres, layOut, POSTGRES_MISSING } from './installation.ts'

export interface PostgresClusterOptions {
  /** Default: true. Without: the server has never heard of pgvector. */
  readonly hasVectors?: boolean
}

/** Fast: connections are ended. Immediate: as after a power cut, and it recovers as it starts. */
export type StopMode = 'fast' | 'immediate'

const SIGNALS: Readonly<Record<StopMode, NodeJS.Signals>> = { fast: 'SIGINT', immediate: 'SIGQUIT' }
/** `nobody` of every Linux. */
const NOBODY = 65_534
const SUPERUSER = 'tester'

/** Who must show a password; everybody else is trusted. */
const ACCESS = `host all with_password 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`

export class PostgresCluster implements AsyncDisposable {
  /** Everything of it. */
  readonly folder: string
  readonly #folder: TemporaryDirectory
  readonly #programs: string
  readonly port: number
  #server: Program | undefined

  static async start({ hasVectors = true }: PostgresClusterOptions = {}): Promise<PostgresCluster> {
    const found = findPostgres()
    if (found === undefined || (hasVectors && found.pgvector === undefined)) throw new Error(POSTGRES_MISSING)
    const folder = await createTemporaryDirectory()
    try {
      const programs = await layOut(folder.path, { ...found, pgvector: hasVectors ? found.pgvector : undefined })
      const cluster = new PostgresCluster(folder, programs, await findFreePort())
      await cluster.#make()
      await cluster.start()
      return cluster
    } catch (error) {
      await folder.remove()
      throw error
    }
  }

  private constructor(folder: TemporaryDirectory, programs: string, port: number) {
    this.folder = folder.path
    this.#folder = folder
    this.#programs = programs
    this.port = port
  }

  /** Of a user that is trusted, unless a password is told. */
  url({ database = 'postgres', user = SUPERUSER, password = '', port = this.port } = {}): string {
    return `postgres://${user}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}/${database}`
  }

  async start(): Promise<void> {
    const own = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${this.port}`, '-c', 'unix_socket_directories=']
    const server = watchProgram(this.#run('postgres', ['-D', this.#folder.file('data'), ...own]))
    this.#server = server
    // Its log is standard error.
    await waitFor(() => server.err().includes('ready to accept connections') || hasEnded(server.child), {
      what: 'PostgreSQL to start',
      timeout: 60_000,
    })
    if (hasEnded(server.child)) throw new Error(`PostgreSQL did not start: ${server.err()}`)
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    server.child.kill(SIGNALS[mode])
    await server.ended
  }

  /** What it wrote into its log since it was started. */
  log(): string {
    return this.#server?.err() ?? ''
  }

  async remove(): Promise<void> {
    await this.stop('immediate')
    await this.#folder.remove()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove()
  }

  async #make(): Promise<void> {
    if (isRoot()) await giveAway(this.#folder.path)
    const args = ['-D', this.#folder.file('data'), '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C']
    const made = watchProgram(this.#run('initdb', [...args, '--no-sync', '--no-instructions']))
    const code = await made.ended
    if (code !== 0) throw new Error(`initdb ended with ${code}: ${made.out()}${made.err()}`)
    await writeFile(this.#folder.file('data', 'pg_hba.conf'), ACCESS)
  }

  #run(program: string, args: readonly string[]): ChildProcess {
    return spawn(join(this.#programs, program), args, {
      cwd: this.#folder.path,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
    })
  }
}

const isRoot = (): boolean => process.getuid?.() === 0
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The folder and what it will be filled with; what is a link to the machine's own stays that of the machine. */
async function giveAway(folder: string): Promise<void> {
  await chown(folder, NOBODY, NOBODY)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await chown(join(folder, entry.name), NOBODY, NOBODY)
  }
}
