/** Python by debugpy. Programs are launched without its adapter (python-launch.ts); to attach it is needed. */

import { dirname, join } from 'node:path'
import { describeWrongValue } from '@switchboard/config/arguments'
import { type ToolError, WrongArguments } from '@switchboard/toolkit'
import type { Attach, Launch, StartContext } from '../../engine/debug-session.ts'
import { readString } from '../../json-values.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment, throwOnInput } from '../engine-environment.ts'
import { type InstallHints, installHint } from '../locate-program.ts'
import type { LogPiece } from '../log-marks.ts'
import type { OpenedAdapter } from '../session-life.ts'
import type { DapTraits, Slice } from '../traits.ts'
import { connectSocket, createStreamWire } from '../wire.ts'
import { readShebang } from './first-bytes.ts'
import { ensureBoot } from './python-boot.ts'
import { runInFrame } from './python-expression.ts'
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

/** Of a longer text debugpy leaves out the middle. */
const LEAST_CUT = 65_536

export const PYTHON_TRAITS: DapTraits = {
  language: 'python',
  exceptionFilters: { none: [], uncaught: ['uncaught'], all: ['raised', 'uncaught'] },
  paging: 'none',
  sliceExpression,
  textSlice: (expression, type) =>
    /^(?:str|bytes|bytearray)$/.test(type)
      ? {
          isCut: (value) => value.length >= LEAST_CUT,
          length: `len(${expression})`,
          piece: (start, end) => `(${expression})[${start}:${end}]`,
          most: 10_000,
        }
      : undefined,
  hitCondition: (operator, count) => `${operator} ${count}`,
  wrapCondition,
  logpoints: 'native',
  wrapLogMessage,
  setVariable: 'native-or-assignment',
  children: true,
  exceptionKey: '"%d %s" % (id(__exception__[1]), __exception__[2].tb_next is not None)',
  evaluateLimit: {
    // As pydevd reads it whenever it evaluates; what it reads it from is the environment at its own start.
    set: (seconds) =>
      `setattr(__import__("sys").modules["_pydevd_bundle.pydevd_constants"], "PYDEVD_INTERRUPT_THREAD_TIMEOUT", ${seconds})`,
    isOver: (message) => /\bKeyboardInterrupt\b/.test(message),
  },
  syntaxPlace: (type) =>
    /^(?:SyntaxError|IndentationError|TabError)$/.test(type)
      ? { path: '__exception__[1].filename', line: '__exception__[1].lineno', column: '__exception__[1].offset' }
      : undefined,
  frameName: (name) => name.replace(/ \(Current frame\)$/, ''),
  // What it passed over, and how it could be told not to, in its own terms.
  isChatter: (line) =>
    /^(?:Frame skipped from debugging during step-in|Note: may have been skipped because)/.test(line),
  // Headings of debugpy, and what pytest puts into a test that it rewrites.
  hidesVariable: (name) => /^(?:more|special variables|function variables|@py_\w+)$/.test(name),
}

/**
 * For the launch option `userUnhandled`: an exception that leaves the person's code counts as uncaught, although a test
 * runner above catches it.
 */
export const PYTHON_TEST_TRAITS: DapTraits = {
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
    const likely = runtimes.guess(context, wanted)
    if (likely !== undefined) {
      const outcome = await launch(likely)
      if (outcome.opened !== undefined) {
        runtimes.remember(likely, outcome.executable)
        return outcome.opened
      }
      runtimes.forget(likely)
    }
    const { program, adapter, bundle } = await resolve(context, wanted, folder)
    const own = program.debugpy === undefined ? adapter.debugpy : undefined
    const outcome = await launch(program.executable, bundle ?? (own === undefined ? undefined : dirname(own)))
    if (outcome.opened === undefined) throw outcome.why
    return outcome.opened
  }

  /** For what only debugpy's adapter can do. */
  async function openAdapter(request: Launch | Attach, context: StartContext, folder: string): Promise<OpenedAdapter> {
    throwOnInput(request, "debugpy's adapter, which these options need,")
    const { program, adapter, bundle } = await resolve(context, readWanted(request), folder)
    context.log(`debugging with Python ${program.version}`, {
      program: program.executable,
      adapter: adapter.executable,
    })
    const args = request.kind === 'launch' ? toLaunchArguments(request, program.executable) : toAttachArguments(request)
    const child = new AdapterProcess(
      {
        command: adapter.executable,
        args: ['-c', ADAPTER, bundle ?? ''],
        cwd: request.cwd,
        env: {},
        base: context.environment,
      },
      guard,
    )
    return { ...toOpened(request, child), args }
  }

  async function resolve(context: StartContext, wanted: string | undefined, folder: string): Promise<PythonRuntime> {
    const runtime = await runtimes.resolve(context, wanted, folder)
    if (runtime.program === undefined) throw noPython(wanted)
    if (runtime.adapter === undefined) throw adapterMissing('debugpy', installHint(HINTS))
    return runtime
  }
}

function readWanted({ options }: Launch | Attach): string | undefined {
  return readString(options.python) ?? readString(options.pythonPath)
}

function traitsOf(request: Launch | Attach): DapTraits {
  return request.kind === 'launch' && request.options.userUnhandled === true ? PYTHON_TEST_TRAITS : PYTHON_TRAITS
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

function commonArguments({ libraries, ...options }: Readonly<Record<string, unknown>>): object {
  return {
    justMyCode: libraries !== true,
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
  throw new WrongArguments([
    { field: 'attach', problem: 'needs the port that debugpy listens on, or the pid of a Python program' },
  ])
}

function noPython(wanted: string | undefined): ToolError {
  if (wanted === undefined) return adapterMissing('Python', installHint(HINTS))
  return new WrongArguments([describeWrongValue('python', 'the path of a Python that runs', wanted)])
}

function isPythonProgram(program: string): boolean {
  return /\.pyw?$/i.test(program) || /\bpython/.test(readShebang(program))
}

/** debugpy passes over a condition that fails, and about a name that is not there it says nothing at all. */
function wrapCondition(condition: string, mark: string): string {
  const source = [
    'try:',
    ' d["r"] = eval(c, n)',
    'except (NameError, SyntaxError):',
    ' d["r"] = True',
    'except Exception as e:',
    ' d["r"] = False',
    ' s = __import__("sys")',
    ' told = s.__dict__.setdefault("_switchboard_failed", set())',
    ' if k not in told:',
    '  told.add(k)',
    '  p = s.modules["pydevd"].get_global_debugger()',
    '  p.writer.add_command(p.cmd_factory.make_io_message("%s%s: %s\\n" % (k, type(e).__name__, e), 1))',
  ].join('\n')
  return runInFrame(source, `"c": ${JSON.stringify(condition.trim())}, "k": ${JSON.stringify(mark)}`)
}

/** pydevd puts texts in without their quotes, and of a message in which one expression fails only the failure is left. */
function wrapLogMessage(pieces: readonly LogPiece[]): string {
  const source = [
    'def show(c):',
    ' try:',
    '  v = repr(eval(c, n))',
    ' except Exception as e:',
    '  v = "<%s: %s>" % (type(e).__name__, e)',
    ' return v.replace("\\n", "\\\\n")',
    'd["r"] = "".join(p if isinstance(p, str) else show(p[0]) for p in m)',
  ].join('\n')
  const message = JSON.stringify(pieces.map((piece) => (typeof piece === 'string' ? piece : [piece.expression])))
  // Braces of the text would be counted.
  return `{${runInFrame(source, `"m": ${message.replaceAll('{', '\\x7b').replaceAll('}', '\\x7d')}`)}}`
}
