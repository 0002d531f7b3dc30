/** Python by debugpy. Programs are launched without its adapter (python-launch.ts); to attach it is needed. */
import { dirname, join } from 'node:path'
import { DebugError } from '../../session/debug-error.ts'
import type { Attach, Launch, StartContext } from '../../session/debug-session.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment } from '../engine-environment.ts'
import { readString } from '../json.ts'
import { type InstallHints, installHint } from '../locate-program.ts'
import type { OpenedAdapter } from '../session-life.ts'
import type { DapTraits, Slice } from '../traits.ts'
import { connectSocket, createStreamWire } from '../wire.ts'
import { readShebang } from './first-bytes.ts'
import { ensureBoot } from './python-boot.ts'
import { type LaunchOutcome, launchPython, needsAdapter } from './python-launch.ts'
import { type PythonRuntime, PythonRuntimes } from './python-runtime.ts'

const HINTS: InstallHints = {
  linux: 'sudo apt-get install python3-debugpy (or: python3 -m pip install debugpy)',
  darwin: 'python3 -m pip install debugpy',
  win32: 'py -m pip install debugpy',
}

/**
 * Runs the adapter. The debugger inside the program writes in small pieces with Nagle's algorithm on, so every answer
 * waits 40 ms for our delayed acknowledgement; on Linux the adapter can be made to acknowledge at once. The working
 * directory is taken off the module path first: a person's `socket.py` must not become ours.
 */
const ADAPTER = `
import sys
sys.path.pop(0)
bundle = sys.argv.pop(1)
if bundle: sys.path.insert(0, bundle)
import socket
option = getattr(socket, "TCP_QUICKACK", None)
if option is not None:
    receive = socket.socket.recv_into
    def recv_into(self, *rest):
        try: self.setsockopt(socket.IPPROTO_TCP, option, 1)
        except OSError: pass
        return receive(self, *rest)
    socket.socket.recv_into = recv_into
import runpy
runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)
`

export const PYTHON_TRAITS: DapTraits = {
  language: 'python',
  exceptionFilters: { none: [], uncaught: ['uncaught'], all: ['raised', 'uncaught'] },
  paging: 'none',
  sliceExpression,
  hitCondition: (operator, count) => `${operator} ${count}`,
  wrapCondition,
  logpoints: 'native',
  setVariable: 'native-or-assignment',
  children: true,
  exceptionKey: '"%d %s" % (id(__exception__[1]), __exception__[2].tb_next is not None)',
  evaluateLimit: {
    // As pydevd reads it whenever it evaluates; what it reads it from is the environment at its own start.
    set: (seconds) =>
      `setattr(__import__("sys").modules["_pydevd_bundle.pydevd_constants"], "PYDEVD_INTERRUPT_THREAD_TIMEOUT", ${seconds})`,
    isOver: (message) => /\bKeyboardInterrupt\b/.test(message),
  },
  frameName: (name) => name.replace(/ \(Current frame\)$/, ''),
  // Headings of debugpy, and what pytest puts into a test that it rewrites.
  hidesVariable: (name) => /^(?:more|special variables|function variables|@py_\w+)$/.test(name),
}

/**
 * For the launch option `userUnhandled`: an exception that leaves the person's code counts as uncaught, although a test
 * runner above catches it.
 */
const TEST_TRAITS: DapTraits = {
  ...PYTHON_TRAITS,
  exceptionFilters: { ...PYTHON_TRAITS.exceptionFilters, uncaught: ['uncaught', 'userUnhandled'] },
}

/** debugpy lists the first hundred elements of a collection and ignores paging. */
function sliceExpression(expression: string, type: string, start: number, count: number): Slice | undefined {
  const end = start + count
  switch (type) {
    case 'list':
    case 'tuple':
    case 'range':
    case 'ndarray':
    case 'array':
      return {
        expression: `(${expression})[${start}:${end}]`,
        nameOf: (index) => String(start + index),
        expressionOf: (index) => `${expression}[${start + index}]`,
      }
    case 'set':
    case 'frozenset':
    case 'deque':
      return {
        expression: `list(__import__("itertools").islice(${expression}, ${start}, ${end}))`,
        nameOf: (index) => String(start + index),
      }
    case 'dict':
    case 'OrderedDict':
    case 'defaultdict':
    case 'Counter':
      return { expression: `dict(__import__("itertools").islice((${expression}).items(), ${start}, ${end}))` }
    default:
      return undefined
  }
}

export function createPythonSpec({ guard, cacheFolder }: EngineEnvironment): AdapterSpec {
  const runtimes = new PythonRuntimes(cacheFolder)
  return {
    name: 'debugpy',
    languages: ['python'],
    launchTypes: ['python', 'debugpy'],
    followsChildren: true,
    accepts: isPythonProgram,
    async locate() {
      const found = await runtimes.findDebugger()
      if (found === undefined) return { found: false, install: installHint(HINTS) }
      return { found: true, what: `debugpy with Python ${found.version} (${found.executable})` }
    },
    async open(request, context) {
      if (request.kind === 'attach' && request.port !== undefined) return openRemote(request, request.port, context)
      const folder = await runtimes.openFolder()
      try {
        const opened =
          request.kind === 'launch' && !needsAdapter(request)
            ? await openLaunch(request, context, folder.path)
            : await openAdapter(request, context, folder.path)
        const cleanUp = async (): Promise<void> => {
          await opened.cleanUp?.()
          await folder.cleanUp()
        }
        return { ...opened, cleanUp }
      } catch (error) {
        await folder.cleanUp()
        throw error
      }
    },
  }

  async function openLaunch(request: Launch, context: StartContext, folder: string): Promise<OpenedAdapter> {
    const wanted = readWanted(request)
    const boot = await ensureBoot(folder)
    const launch = async (python: string, debuggerFolder?: string): Promise<LaunchOutcome> => {
      const args = toLaunchArguments(request, python)
      const traits = traitsOf(request)
      const compiledFolder = join(folder, 'compiled')
      const outcome = await launchPython(
        request,
        { python, boot, debuggerFolder, compiledFolder, traits, args, guard },
        context,
      )
      if (outcome.opened !== undefined) context.log(`debugging with Python ${outcome.version}`, outcome.executable)
      return outcome
    }
    // Most Pythons that are used for debugging have debugpy: trying costs less than asking first.
    const likely = runtimes.guess(context.workspace, wanted)
    if (likely !== undefined) {
      const outcome = await launch(likely)
      if (outcome.opened !== undefined) {
        runtimes.remember(likely, outcome.executable)
        return outcome.opened
      }
      runtimes.forget(likely)
    }
    const { program, adapter, bundle } = await resolve(context.workspace, wanted, folder)
    const own = program.debugpy === undefined ? adapter.debugpy : undefined
    const outcome = await launch(program.executable, bundle ?? (own === undefined ? undefined : dirname(own)))
    if (outcome.opened === undefined) throw outcome.why
    return outcome.opened
  }

  /** For what only debugpy's adapter can do. */
  async function openAdapter(
    request: Launch | Attach,
    { workspace, log }: StartContext,
    folder: string,
  ): Promise<OpenedAdapter> {
    const { program, adapter, bundle } = await resolve(workspace, readWanted(request), folder)
    log(`debugging with Python ${program.version}`, { program: program.executable, adapter: adapter.executable })
    const args = request.kind === 'launch' ? toLaunchArguments(request, program.executable) : toAttachArguments(request)
    const child = new AdapterProcess(
      { command: adapter.executable, args: ['-c', ADAPTER, bundle ?? ''], cwd: request.cwd, env: {} },
      guard,
    )
    return { ...toOpened(request, child), args }
  }

  async function resolve(workspace: string, wanted: string | undefined, folder: string): Promise<PythonRuntime> {
    const runtime = await runtimes.resolve(workspace, wanted, folder)
    if (runtime.program === undefined) throw noPython(wanted)
    if (runtime.adapter === undefined) throw adapterMissing('debugpy', installHint(HINTS))
    return runtime
  }
}

function readWanted({ options }: Launch | Attach): string | undefined {
  return readString(options.python) ?? readString(options.pythonPath)
}

function traitsOf(request: Launch | Attach): DapTraits {
  return request.kind === 'launch' && request.options.userUnhandled === true ? TEST_TRAITS : PYTHON_TRAITS
}

/** A program that runs with `python -m debugpy --listen` brings its adapter along. */
async function openRemote(request: Attach, port: number, { signal }: StartContext): Promise<OpenedAdapter> {
  const host = request.host ?? '127.0.0.1'
  const socket = await connectSocket({ host, port }, { signal })
  return {
    name: `Python at ${host}:${port}`,
    adapterId: 'debugpy',
    wire: createStreamWire(socket, socket),
    process: undefined,
    traits: PYTHON_TRAITS,
    command: 'attach',
    args: { ...commonArguments(request.options), connect: { host, port } },
    isLaunched: false,
    startTimeout: 60_000,
  }
}

function toOpened(request: Launch | Attach, child: AdapterProcess): Omit<OpenedAdapter, 'args'> {
  const isLaunched = request.kind === 'launch'
  return {
    name: isLaunched ? request.program : `Python ${request.pid ?? ''}`,
    adapterId: 'debugpy',
    wire: createStreamWire(child.stdout, child.stdin),
    process: child,
    traits: traitsOf(request),
    command: request.kind,
    isLaunched,
    startTimeout: 60_000,
  }
}

function commonArguments(options: Readonly<Record<string, unknown>>): object {
  return {
    justMyCode: true,
    subProcess: true,
    redirectOutput: true,
    showReturnValue: false,
    // Dunder methods and functions are not what an agent looks for among variables.
    variablePresentation: { special: 'hide', function: 'hide', class: 'hide', protected: 'inline' },
    ...options,
  }
}

function toLaunchArguments(request: Launch, python: string): Readonly<Record<string, unknown>> {
  const { module, pythonArgs, userUnhandled: _, ...options } = request.options
  const interpreterArguments = Array.isArray(pythonArgs) ? pythonArgs : []
  return {
    ...commonArguments(options),
    ...(typeof module === 'string' ? { module } : { program: request.program }),
    args: request.args,
    cwd: request.cwd,
    env: request.env,
    stopOnEntry: request.stopOnEntry,
    console: 'internalConsole',
    python: [python, ...interpreterArguments],
  }
}

function toAttachArguments({ pid, options }: Attach): object {
  if (pid !== undefined) return { ...commonArguments(options), processId: pid }
  throw new DebugError(
    'E_INVALID_PARAMS',
    'To attach to a Python program, give the port that debugpy listens on, or a pid.',
  )
}

function noPython(wanted: string | undefined): DebugError {
  if (wanted === undefined) return adapterMissing('Python', installHint(HINTS))
  return new DebugError('E_INVALID_PARAMS', `"${wanted}" is not a Python that runs. Give the path of an interpreter.`)
}

function isPythonProgram(program: string): boolean {
  return /\.pyw?$/i.test(program) || /\bpython/.test(readShebang(program))
}

/** debugpy passes over a condition that fails, and about a name that is not there it says nothing at all. */
function wrapCondition(condition: string): string {
  const source = [
    'try:',
    ' d["r"] = eval(c, g, l)',
    'except (NameError, SyntaxError):',
    ' d["r"] = True',
    'except Exception:',
    ' d["r"] = False',
  ].join('\n')
  const names = `{"c": ${JSON.stringify(condition.trim())}, "g": g, "l": l, "d": d}`
  return `(lambda d, g, l: (exec(${JSON.stringify(source)}, ${names}), d["r"])[1])({}, globals(), locals())`
}
