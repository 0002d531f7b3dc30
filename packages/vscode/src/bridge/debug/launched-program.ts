/**
 * A program that VS Code starts for an agent. It bears a mark in its environment, which all that it starts inherits: what is left of it
 * when the session is over is killed by that. Where environments cannot be read (not on Linux) VS Code's own end of it has to do.
 */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '@switchboard/protocol'
import { readObject } from './dap-messages.ts'
import { ExitNote } from './exit-note.ts'

const VARIABLE = 'SWITCHBOARD_DEBUGGED'
const LAST_LOOK_MS = 2_000
const POLL_MS = 20

export class LaunchedProgram {
  readonly configuration: JsonObject
  readonly mark = randomBytes(12).toString('hex')
  readonly #note: ExitNote | undefined

  constructor(wanted: JsonObject) {
    // VS Code's own debugger for JavaScript tells no exit codes.
    this.#note = wanted.type === 'node' || wanted.type === 'pwa-node' ? new ExitNote() : undefined
    const env = { ...readObject(wanted.env), [VARIABLE]: this.mark }
    this.configuration = { ...wanted, env: this.#note?.addTo(env) ?? env }
  }

  /** Undefined: nobody told. */
  get exitCode(): number | undefined {
    return this.#note?.read()
  }

  /** Whatever it has started ends with it. */
  async end(): Promise<void> {
    this.#note?.remove()
    await killMarked(this.mark)
  }
}

/** Until nobody bears the mark any more. */
export async function killMarked(mark: string): Promise<void> {
  const until = Date.now() + LAST_LOOK_MS
  for (let left = await findMarked(mark); left.length > 0 && Date.now() < until; left = await findMarked(mark)) {
    for (const pid of left) kill(pid)
    await delay(POLL_MS)
  }
}

async function findMarked(mark: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name))
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.includes(`${VARIABLE}=${mark}`)
    }),
  )
  return pids.filter((_, index) => marked[index]).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone by itself.
  }
}
