/** npm, for the one thing that only it can do. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorMessage } from '@switchboard/base'
import type { Io } from '../program/io.ts'

export interface NpmOutcome {
  readonly isWell: boolean
  /** What it said last. */
  readonly said: string
}

/** That of the Node which runs this; else the one on the PATH. */
export async function runNpm({ env }: Pick<Io, 'env'>, args: readonly string[], cwd: string): Promise<NpmOutcome> {
  const folder = dirname(process.execPath)
  const own = [join(folder, '..', 'lib'), folder].map((place) =>
    join(place, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  )
  const script = own.find((file) => existsSync(file))
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const child =
    script === undefined
      ? spawn('npm', [...args, ...quiet], { cwd, env, shell: process.platform === 'win32' })
      : spawn(process.execPath, [script, ...args, ...quiet], { cwd, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
    })
  }
  const { promise, resolve } = Promise.withResolvers<NpmOutcome>()
  child.once('error', (error) => resolve({ isWell: false, said: errorMessage(error) }))
  child.once('close', (code) => resolve({ isWell: code === 0, said: said.trim() }))
  return promise
}
