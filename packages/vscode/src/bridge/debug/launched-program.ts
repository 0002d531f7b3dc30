/**
 * A program that VS Code starts for an agent, with all that it starts in turn. It is ended when its session is over, whatever VS Code's
 * debugger leaves of it; by a process of its own when the extension host is killed.
 */
import { type OrphanGuard, ProcessFamily } from '@switchboard/process'
import type { JsonObject } from '@switchboard/protocol'
import { readObject } from './dap-messages.ts'
import { ExitNote } from './exit-note.ts'

export class LaunchedProgram {
  readonly configuration: JsonObject
  readonly #guard: OrphanGuard
  /** VS Code starts it in a session of its own choosing, which may be the editor's or that of the person's terminal. */
  readonly #family = new ProcessFamily({ isGuest: true })
  readonly #note: ExitNote | undefined

  constructor(wanted: JsonObject, guard: OrphanGuard) {
    this.#guard = guard
    // VS Code's own debugger for JavaScript tells no exit codes.
    this.#note = wanted.type === 'node' || wanted.type === 'pwa-node' ? new ExitNote() : undefined
    const env = { ...readObject(wanted.env), ...this.#family.environment }
    this.configuration = { ...wanted, env: this.#note?.addTo(env) ?? env }
    guard.addFamily(this.#family)
  }

  /** Undefined: nobody told. */
  get exitCode(): number | undefined {
    return this.#note?.read()
  }

  /** Whatever it has started ends with it. */
  async end(): Promise<void> {
    this.#note?.remove()
    await this.#family.kill()
    this.#guard.removeFamily(this.#family)
  }
}
