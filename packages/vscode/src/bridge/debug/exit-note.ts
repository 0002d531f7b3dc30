/**
 * How a Node program ended: VS Code's debugger for JavaScript does not tell. The program itself writes it down as it goes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'

const VARIABLE = 'SWITCHBOARD_EXIT_NOTE'

/** The note is of the program itself, and not of those that it starts. */
const HOOK = `'use strict'
const file = process.env.${VARIABLE}
const { isMainThread } = require('node:worker_threads')
if (file && isMainThread) {
  delete process.env.${VARIABLE}
  const { writeFileSync } = require('node:fs')
  process.on('exit', (code) => {
    try {
      writeFileSync(file, String(code))
    } catch {}
  })
}
`

export class ExitNote {
  readonly #folder = mkdtempSync(join(tmpdir(), 'switchboard-exit-'))
  readonly #file = join(this.#folder, 'code')
  readonly #hook = join(this.#folder, 'hook.cjs')

  constructor() {
    writeFileSync(this.#hook, HOOK, { mode: 0o600 })
  }

  /** What the program is to be started with. */
  addTo(env: JsonObject): JsonObject {
    const options = env.NODE_OPTIONS ?? process.env.NODE_OPTIONS
    const own = `--require ${JSON.stringify(this.#hook)}`
    return { ...env, [VARIABLE]: this.#file, NODE_OPTIONS: options === undefined ? own : `${String(options)} ${own}` }
  }

  /** Undefined: it did not end by itself. */
  read(): number | undefined {
    try {
      const code = Number.parseInt(readFileSync(this.#file, 'utf8'), 10)
      return Number.isNaN(code) ? undefined : code
    } catch {
      return undefined
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
