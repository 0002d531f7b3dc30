/** A session that does what a test tells it to, for what needs events only. */
import type { Disposable } from '@switchboard/base'
import type {
  BreakpointState,
  DebugSession,
  ExceptionInfo,
  Frame,
  SessionCapabilities,
  SessionEvent,
  Variable,
} from '../../src/engine/debug-session.ts'

export class FakeSession implements DebugSession {
  readonly id: string
  readonly name: string
  readonly language = 'node'
  readonly pid = 1
  readonly capabilities: SessionCapabilities = {
    conditions: true,
    hitConditions: true,
    logpoints: true,
    setVariable: true,
    pause: true,
    exceptions: ['none', 'uncaught', 'all'],
    functionBreakpoints: false,
    restart: false,
    children: false,
  }
  exception: ExceptionInfo | undefined
  frames: readonly Frame[] = []
  isEnded = false
  readonly #listeners = new Set<(event: SessionEvent) => void>()

  constructor(id = 's1', name = 'app.js') {
    this.id = id
    this.name = name
  }

  simulate(event: SessionEvent): void {
    if (event.type === 'terminated') this.isEnded = true
    for (const listener of [...this.#listeners]) listener(event)
  }

  onEvent(listener: (event: SessionEvent) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  async setBreakpoints(): Promise<readonly BreakpointState[]> {
    return []
  }

  async stack() {
    return { frames: this.frames }
  }

  async exceptionInfo() {
    return this.exception
  }

  async evaluate(): Promise<Variable> {
    return { name: '', value: '', reference: 0 }
  }

  async readText() {
    return undefined
  }

  async setVariable(): Promise<Variable> {
    return { name: '', value: '', reference: 0 }
  }

  async scopes() {
    return []
  }

  async variables() {
    return []
  }

  async threads() {
    return []
  }

  async setFunctionBreakpoints() {}
  async setExceptionMode() {}
  async run() {}
  async continue() {}
  async step() {}
  async pause() {}
  async stop() {}
}
