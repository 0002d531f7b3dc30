/**
 * The one interface between the debug tools and whatever runs a program under a debugger: the inspector of Node, a debug
 * adapter, later VS Code. What an engine cannot do it says in `capabilities`; asked all the same it throws
 * `E_UNSUPPORTED_CAPABILITY`. Paths are absolute here, lines and columns start at 1; making paths relative, masking,
 * cutting and paging of what an agent sees is the tools' business.
 */
import type { Disposable } from '@switchboard/base'
import type { TextPiece } from './quoted-text.ts'

export interface Place {
  readonly path: string
  readonly line: number
  readonly column?: number
}

export interface BreakpointRequest {
  /** Ours; it stays the same over restarts and child sessions. */
  readonly id: string
  readonly line: number
  readonly column?: number
  readonly condition?: string
  /** A number, or an operator and a number: `5`, `>= 3`, `% 10`. */
  readonly hitCondition?: string
  /** `{expression}` inside is evaluated; the program does not stop. */
  readonly logMessage?: string
}

/** What became of a breakpoint. Unbound: `message` says why; it may be bound later, when its code is loaded. */
export interface BreakpointState {
  readonly id: string
  readonly verified: boolean
  /** Where it really is, when it moved. */
  readonly line?: number
  readonly message?: string
}

export type ExceptionMode = 'none' | 'uncaught' | 'all'

export interface Thread {
  readonly id: number
  readonly name: string
  readonly state: 'running' | 'stopped'
}

export interface Frame {
  readonly id: number
  readonly name: string
  readonly place?: Place
  /** Code of the person, not of the runtime or of a library. */
  readonly isUser: boolean
}

export type ScopeKind = 'local' | 'arguments' | 'block' | 'closure' | 'global' | 'registers' | 'other'

export interface Scope {
  readonly name: string
  readonly kind: ScopeKind
  readonly reference: number
  readonly isExpensive: boolean
}

export interface Variable {
  readonly name: string
  readonly value: string
  readonly type?: string
  /** For its children; 0: it has none. Valid until the program goes on. */
  readonly reference: number
  readonly named?: number
  readonly indexed?: number
  /** An expression that yields it in its frame. */
  readonly expression?: string
}

export interface ExceptionInfo {
  readonly type: string
  readonly message: string
  readonly isUncaught?: boolean
  readonly stack?: string
  /** What it is about, where that is none of the frames: the text that could not be compiled. */
  readonly place?: Place
}

export interface SessionCapabilities {
  readonly conditions: boolean
  readonly hitConditions: boolean
  readonly logpoints: boolean
  readonly setVariable: boolean
  readonly pause: boolean
  readonly exceptions: readonly ExceptionMode[]
  readonly functionBreakpoints: boolean
  readonly restart: boolean
  /** Children of programs and worker threads come as sessions or threads of their own. */
  readonly children: boolean
}

export type OutputCategory = 'stdout' | 'stderr' | 'console'

export type SessionEvent =
  | {
      readonly type: 'stopped'
      readonly threadId: number
      /** breakpoint, step, exception, pause, entry, function breakpoint … */
      readonly reason: string
      readonly text?: string
      readonly breakpointIds: readonly string[]
      readonly allThreads: boolean
    }
  | { readonly type: 'continued'; readonly threadId: number; readonly allThreads: boolean }
  | {
      readonly type: 'output'
      readonly category: OutputCategory
      readonly text: string
      readonly place?: Place
      /** It came of a logpoint of ours. */
      readonly breakpointId?: string
    }
  | { readonly type: 'thread'; readonly threadId: number; readonly change: 'started' | 'exited' }
  | { readonly type: 'breakpoint'; readonly state: BreakpointState }
  /** It failed for the values of the moment, and so did not hold. Told once for each breakpoint. */
  | { readonly type: 'conditionFailed'; readonly breakpointId: string; readonly why: string }
  /** A process or worker that the program started; it has the same breakpoints and runs once they are set. */
  | { readonly type: 'child'; readonly session: DebugSession }
  | { readonly type: 'exited'; readonly exitCode: number | null; readonly signal?: string }
  /** Always the last one: the session can do nothing more. `error`: it did not end by itself. */
  | { readonly type: 'terminated'; readonly error?: Error }

export interface EngineRequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly timeout?: number
}

export interface DebugSession {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly capabilities: SessionCapabilities
  readonly pid: number | undefined
  readonly isEnded: boolean
  onEvent(listener: (event: SessionEvent) => void): Disposable
  /** Replaces those of the file. Also before the program has loaded it. */
  setBreakpoints(path: string, breakpoints: readonly BreakpointRequest[]): Promise<readonly BreakpointState[]>
  setFunctionBreakpoints(names: readonly string[]): Promise<void>
  setExceptionMode(mode: ExceptionMode): Promise<void>
  /** The breakpoints are set: let the program begin. Called once. */
  run(options?: EngineRequestOptions): Promise<void>
  continue(threadId: number): Promise<void>
  step(threadId: number, kind: 'over' | 'into' | 'out'): Promise<void>
  /** Undefined: whatever runs. */
  pause(threadId?: number): Promise<void>
  threads(options?: EngineRequestOptions): Promise<readonly Thread[]>
  stack(
    threadId: number,
    range: { start: number; count: number },
    options?: EngineRequestOptions,
  ): Promise<{ readonly frames: readonly Frame[]; readonly total?: number }>
  scopes(frameId: number, options?: EngineRequestOptions): Promise<readonly Scope[]>
  /** At most `count` from `start` on, also where the engine itself knows no paging. */
  variables(
    reference: number,
    range: { start: number; count: number; filter?: 'indexed' | 'named' },
    options?: EngineRequestOptions,
  ): Promise<readonly Variable[]>
  evaluate(
    expression: string,
    where: { frameId?: number; context: 'watch' | 'repl' | 'hover' },
    options?: EngineRequestOptions,
  ): Promise<Variable>
  /**
   * Some characters of a text, by what `evaluate` gave or by a reference; undefined: it is no text. Also those that no value
   * shows, for engines cut what is long.
   */
  readText(
    text: Variable | number,
    range: { start: number; count: number },
    where: { frameId?: number },
    options?: EngineRequestOptions,
  ): Promise<TextPiece | undefined>
  /** In the scope or variable of that reference; returns what it is now. */
  setVariable(reference: number, name: string, value: string, options?: EngineRequestOptions): Promise<Variable>
  exceptionInfo(threadId: number): Promise<ExceptionInfo | undefined>
  /** Ends the program (a launched one) or lets it go on (an attached one, unless `kill`). Resolves when all is gone. */
  stop(options?: { kill?: boolean; grace?: number }): Promise<void>
}

export interface Launch {
  readonly kind: 'launch'
  /** Absolute. A file, for Go also a package folder. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stopOnEntry: boolean
  /** What it reads from its standard input, which ends there. Undefined: nothing. */
  readonly stdin?: string
  /** Own to the language: `module`, `runtimeExecutable`, `runtimeArgs`, `python`, `mode`, `buildFlags`, `sourceMaps` … */
  readonly options: Readonly<Record<string, unknown>>
}

export interface Attach {
  readonly kind: 'attach'
  readonly host?: string
  readonly port?: number
  readonly pid?: number
  readonly cwd: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface StartContext {
  /** The root that paths are shown relative to, and that user code lies in. */
  readonly workspace: string
  /** What the program is started with, but for its own variables; undefined: as we were. */
  readonly environment?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Of adapter and debuggee, for the log. */
  log(message: string, data?: unknown): void
}

/** One row of the table of engines. */
export interface DebugEngine {
  readonly name: string
  /** `node`, `typescript`, `python`, `cpp`, `c`, `rust`, `go`, `ruby`. */
  readonly languages: readonly string[]
  /** Default: headless. */
  readonly backend?: 'vscode'
  /** `type` values of launch.json that mean it. */
  readonly launchTypes: readonly string[]
  /** Is it for this program? By its name and first bytes; nothing is run. */
  accepts(program: string): boolean
  /** Found on this machine? Else how to get it. Cached by the caller. */
  locate(): Promise<
    { readonly found: true; readonly what: string } | { readonly found: false; readonly install: string }
  >
  /** The program is there and held before its first line; nothing runs until `run`. */
  start(request: Launch | Attach, context: StartContext): Promise<DebugSession>
}
