/**
 * Launches a Python program with the debugger inside of it connected to us: one process, where debugpy's adapter and its
 * launcher would make it three. What only they can do is left to them: see `needsAdapter`.
 */
import { ToolError } from '@switchboard/toolkit'
import type { Launch, StartContext } from '../../engine/debug-session.ts'
import { AdapterProcess, capitalize } from '../adapter-process.ts'
import type { EngineEnvironment } from '../engine-environment.ts'
import type { OpenedAdapter } from '../session-life.ts'
import type { DapTraits } from '../traits.ts'
import { PydevdHub } from './pydevd-hub.ts'
import { runInFrame } from './python-expression.ts'

const CONNECT_TIMEOUT_MS = 60_000
/** Its input has ended from the start, so that cannot tell it anything. */
const KILL_GRACES = { input: 0, terminate: 200 }

/** Options that change what the launcher does, or how the program is started. */
const ADAPTER_OPTIONS = [
  'code',
  'debugAdapterHost',
  'debugLauncherPath',
  'debugLauncherPython',
  'debugOptions',
  'debugpyArgs',
  'noDebug',
  'qt',
  'sudo',
]

export function needsAdapter({ options }: Launch): boolean {
  return ADAPTER_OPTIONS.some((name) => options[name] !== undefined && options[name] !== false)
}

export interface PythonLaunch {
  readonly python: string
  readonly boot: string
  /** With debugpy in it, for a Python that has none. */
  readonly debuggerFolder: string | undefined
  /** For what is compiled of a debugger that cannot keep it itself. */
  readonly compiledFolder: string
  readonly traits: DapTraits
  /** What the adapter would get. */
  readonly args: Readonly<Record<string, unknown>>
  readonly guard: EngineEnvironment['guard']
}

export type LaunchOutcome =
  | { readonly opened: OpenedAdapter; readonly executable: string | undefined; readonly version: string | undefined }
  /** It does not run, or ended before it was connected: most often because it has no debugpy. */
  | { readonly opened: undefined; readonly why: ToolError }

export async function launchPython(
  request: Launch,
  wanted: PythonLaunch,
  { signal, environment }: StartContext,
): Promise<LaunchOutcome> {
  const hub = await PydevdHub.listen()
  let child: AdapterProcess | undefined
  try {
    child = new AdapterProcess(toCommand(request, wanted, hub, environment), wanted.guard, 'the Python program')
    // A program that reads more finds nothing to read, and does not wait for ever.
    child.stdin.end(request.stdin ?? '')
    const first = await hub.accept(child, { signal, timeout: CONNECT_TIMEOUT_MS })
    if (first === undefined) {
      await child.lastWords()
      const why = new ToolError('E_LAUNCH_FAILED', `${capitalize(child.describeExit())}. ${child.errorTail}`.trim())
      await endStart(hub, child)
      return { opened: undefined, why }
    }
    const { connection, python } = first
    const args = toOwnArguments(request, wanted.args)
    return {
      executable: python.executable,
      version: python.version,
      opened: {
        name: request.program,
        adapterId: 'debugpy',
        wire: connection.toWire(child.exited),
        process: child,
        traits: {
          ...wanted.traits,
          outputOnStdout: true,
          errorsOnStderr: { isOwnLine },
          adapterIsProgram: true,
          libraries: {
            isLibrary,
            open: (paths) => ({ command: 'launch', args: includeFiles(args, paths) }),
            callerOf: findCaller,
          },
        },
        command: 'launch',
        args,
        isLaunched: true,
        startTimeout: CONNECT_TIMEOUT_MS,
        killGraces: KILL_GRACES,
        onChild: (listener) => hub.onChildOf(python.pid, listener),
        cleanUp: async () => hub.close(),
      },
    }
  } catch (error) {
    await endStart(hub, child)
    if (error instanceof ToolError && error.code === 'E_ADAPTER_MISSING') return { opened: undefined, why: error }
    throw error
  }
}

async function endStart(hub: PydevdHub, child: AdapterProcess | undefined): Promise<void> {
  hub.close()
  await child?.stop({ input: 0, terminate: 300 })
}

function toCommand(
  request: Launch,
  wanted: PythonLaunch,
  hub: PydevdHub,
  base: StartContext['environment'],
): ConstructorParameters<typeof AdapterProcess>[0] {
  const { module, pythonArgs, subProcess, gevent } = request.options
  return {
    command: wanted.python,
    args: [
      ...(Array.isArray(pythonArgs) ? pythonArgs.map(String) : []),
      // No breakpoint is ever hit in a module that is frozen into the interpreter.
      '-X',
      'frozen_modules=off',
      wanted.boot,
      wanted.debuggerFolder ?? '',
      wanted.compiledFolder,
      '--connect',
      hub.address,
      '--adapter-access-token',
      hub.token,
      ...(subProcess === false ? ['--configure-subProcess', 'False'] : []),
      ...(typeof module === 'string' ? ['-m', module] : [request.program]),
      ...request.args,
    ],
    cwd: request.cwd,
    base,
    env: {
      ...request.env,
      // What is printed is to be seen at once, and is read as UTF-8.
      PYTHONUNBUFFERED: '1',
      PYTHONIOENCODING: 'utf-8',
      ...(gevent === true ? { GEVENT_SUPPORT: 'True' } : {}),
    },
  }
}

function toOwnArguments(
  request: Launch,
  { redirectOutput: _, ...args }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { module } = request.options
  const processName = typeof module === 'string' ? module : request.program
  return { ...args, isOutputRedirected: true, processName }
}

/** What pydevd takes for one unless it is told otherwise, roughly: one file too many does no harm. */
function isLibrary(path: string): boolean {
  return /[\\/](?:site-packages|dist-packages|lib[\\/]python[\d.]+)[\\/]/.test(path)
}

/** Told again how it was launched, the debugger reads the rules anew. */
function includeFiles(args: Readonly<Record<string, unknown>>, paths: readonly string[]): object {
  const own = Array.isArray(args.rules) ? args.rules : []
  return { ...args, rules: [...paths.map((path) => ({ path, include: true })), ...own] }
}

/** From within the evaluation outwards: past the debugger to the frame of the file, and to who called that. */
function findCaller(path: string): string {
  const source = [
    'real = __import__("os").path.realpath',
    'f = __import__("sys")._getframe()',
    'while f is not None and real(f.f_code.co_filename) != p:',
    ' f = f.f_back',
    'd["r"] = "" if f is None or f.f_back is None else real(f.f_back.f_code.co_filename)',
  ].join('\n')
  return runInFrame(source, `"p": __import__("os").path.realpath(${JSON.stringify(path)})`)
}

/** The debugger's own complaints. */
function isOwnLine(line: string): boolean {
  return /^\d+\.\d\ds - /.test(line)
}
