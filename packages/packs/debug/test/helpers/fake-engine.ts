/** An engine whose programs do what a test says: the tools' own logic without a process. */
import { adapterMissing } from '../../src/dap/engine-environment.ts'
import type {
  Attach,
  BreakpointRequest,
  BreakpointState,
  DebugEngine,
  DebugSession,
  ExceptionMode,
  Frame,
  Launch,
  Scope,
  SessionCapabilities,
  SessionEvent,
  Thread,
  Variable,
} from '../../src/engine/debug-session.ts'

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

const CAPABILITIES: SessionCapabilities = {
  conditions: true,
  hitConditions: true,
  logpoints: true,
  setVariable: true,
  pause: true,
  exceptions: ['none', 'uncaught', 'all'],
  functionBreakpoints: false,
  restart: true,
  children: true,
}

export class FakeSession implements DebugSession {
  readonly id: string
  readonly name: string
  readonly language = 'fake'
  readonly capabilities = CAPABILITIES
  readonly pid = 4242
  isEnded = false
  /** What the tools did, in order. */
  readonly log: string[] = []
  readonly files = new Map<string, readonly BreakpointRequest[]>()
  frames: Frame[] = []
  locals: Variable[] = []
  /** Never answers when it is asked for its stack. */
  isMute = false
  /** Never ends when it is told to. */
  isStubborn = false
  onGo: ((session: FakeSession) => void) | undefined
  readonly #listeners = new Set<(event: SessionEvent) => void>()

  constructor(id: string, name = id) {
    this.id = id
    this.name = name
  }

  simulate(event: SessionEvent): void {
    if (event.type === 'terminated') this.isEnded = true
    for (const listener of [...this.#listeners]) listener(event)
  }

  simulateStop(more: Partial<DistributiveOmit<Extract<SessionEvent, { type: 'stopped' }>, 'type'>> = {}): void {
    this.simulate({ type: 'stopped', threadId: 1, reason: 'breakpoint', breakpointIds: [], allThreads: true, ...more })
  }

  simulateEnd(exitCode = 0): void {
    this.simulate({ type: 'exited', exitCode })
    this.simulate({ type: 'terminated' })
  }

  onEvent(listener: (event: SessionEvent) => void) {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  async setBreakpoints(path: string, breakpoints: readonly BreakpointRequest[]): Promise<BreakpointState[]> {
    this.files.set(path, breakpoints)
    return breakpoints.map(({ id }) => ({ id, verified: true }))
  }

  async setFunctionBreakpoints(): Promise<void> {}

  async setExceptionMode(mode: ExceptionMode): Promise<void> {
    this.log.push(`exceptions ${mode}`)
  }

  async run(): Promise<void> {
    this.log.push('run')
    this.onGo?.(this)
  }

  async continue(threadId: number): Promise<void> {
    this.log.push(`continue ${threadId}`)
    this.onGo?.(this)
  }

  async step(threadId: number, kind: string): Promise<void> {
    this.log.push(`step ${kind} ${threadId}`)
    this.onGo?.(this)
  }

  async pause(): Promise<void> {
    this.log.push('pause')
    this.onGo?.(this)
  }

  async threads(): Promise<Thread[]> {
    return [{ id: 1, name: 'main', state: 'stopped' }]
  }

  async stack(): Promise<{ frames: Frame[] }> {
    if (this.isMute) return new Promise(() => {})
    return { frames: this.frames }
  }

  async scopes(): Promise<Scope[]> {
    return [{ name: 'Local', kind: 'local', reference: 100, isExpensive: false }]
  }

  async variables(_reference: number, { start, count }: { start: number; count: number }): Promise<Variable[]> {
    return this.locals.slice(start, start + count)
  }

  async evaluate(expression: string): Promise<Variable> {
    const found = this.locals.find(({ name }) => name === expression)
    return found ?? { name: expression, value: 'false', reference: 0 }
  }

  async readText() {
    return undefined
  }

  async setVariable(_reference: number, name: string, value: string): Promise<Variable> {
    return { name, value, reference: 0 }
  }

  async exceptionInfo() {
    return { type: 'Error', message: 'went wrong' }
  }

  async stop(): Promise<void> {
    this.log.push('stop')
    if (this.isStubborn) return new Promise(() => {})
    if (!this.isEnded) this.simulate({ type: 'terminated' })
  }
}

export interface FakeEngine extends DebugEngine {
  readonly sessions: readonly FakeSession[]
  readonly requests: readonly (Launch | Attach)[]
  /** Before it is handed out. */
  prepare: ((session: FakeSession) => void | Promise<void>) | undefined
  isInstalled: boolean
}

export function createFakeEngine(): FakeEngine {
  const sessions: FakeSession[] = []
  const requests: (Launch | Attach)[] = []
  const engine: FakeEngine = {
    name: 'fake',
    languages: ['fake'],
    launchTypes: ['fake', 'pwa-fake'],
    sessions,
    requests,
    prepare: undefined,
    isInstalled: true,
    accepts: (program) => program.endsWith('.fake'),
    locate: async () =>
      engine.isInstalled ? { found: true, what: 'a fake' } : { found: false, install: 'pkg install fake' },
    async start(request) {
      if (!engine.isInstalled) throw adapterMissing('the fake debugger', 'pkg install fake')
      requests.push(request)
      const session = new FakeSession(`fake-${sessions.length + 1}`, request.kind)
      sessions.push(session)
      await engine.prepare?.(session)
      return session
    },
  }
  return engine
}
