/** Ruby by rdbg, the debugger that comes with it. The program itself is the adapter: it listens and waits for us. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import type { Attach, ExceptionInfo, Launch, StartContext } from '../../engine/debug-session.ts'
import { readString } from '../../json-values.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment } from '../engine-environment.ts'
import { findNewestProgram, findOnPath, type InstallHints, installHint, once } from '../locate-program.ts'
import type { OpenedAdapter } from '../session-life.ts'
import type { DapTraits } from '../traits.ts'
import { connectSocket, createStreamWire, type SocketAddress } from '../wire.ts'
import { readShebang } from './first-bytes.ts'

const HINTS: InstallHints = {
  linux: 'gem install debug (or: sudo apt-get install ruby)',
  darwin: 'gem install debug',
  win32: 'gem install debug',
}

const MAX_SAID = 8_192
const READY_TIMEOUT_MS = 30_000
const BIND_ATTEMPTS = 1000
const BIND_DELAY_MS = 5

/**
 * In the program, before we go. Version 1.4 keeps its breakpoints and ends the program at the next hit, because nobody is
 * there to be told; and when its session looks for our last command only after its reader has noticed that we have gone,
 * it dies of the queue that is no more. So the breakpoints go, what we said last is kept, and where nobody commands any
 * more the program runs on.
 */
const LET_GO = `
DEBUGGER__::SESSION.instance_variable_get(:@bps).each_value(&:delete).clear
DEBUGGER__::SESSION.instance_variable_get(:@ui).instance_eval do
  def cleanup_reader
    @last_commands = @q_msg
    super
  end
  def readline(prompt)
    (@q_msg || @last_commands)&.pop || 'continue'
  end
  def send(**message)
    super
  rescue StandardError
    nil
  end
end
nil`

export const RUBY_TRAITS: DapTraits = {
  language: 'ruby',
  // It can stop at every exception that is raised, and at no others.
  exceptionFilters: { none: [], all: ['any'] },
  paging: 'indexed',
  wrapCondition,
  textSlice: (expression) => ({
    isCut: () => false,
    length: `(${expression}).length`,
    piece: (start, end) => `(${expression})[${start}...${end}]`,
    most: 10_000,
  }),
  logpoints: 'emulated',
  setVariable: 'assignment',
  childExpression: toChildExpression,
  // Announced, and then ignored.
  functionBreakpoints: false,
  keepsRemovedBreakpoints: true,
  readHitPlace(body) {
    const match = /BP - Line\s{1,10}(.{1,4096}):(\d{1,9}) \(/.exec(
      readString(body.text) ?? readString(body.description) ?? '',
    )
    return match === null ? undefined : { path: match[1] ?? '', line: Number(match[2]) }
  },
  outputOnStdout: true,
  errorsOnStderr: { isOwnLine: (line) => line.startsWith('DEBUGGER') },
  hidesVariable: (name) => name === '%self' || name === '_raised' || name === '%return',
  evaluateWrap: {
    wrap: (expression) => `[begin; ${expression}\n end]`,
    isWrapped: (result) => result.startsWith('['),
  },
  stepsOutToEnd: true,
  losesPauses: true,
  beforeDetach: { standsForKill: true, evaluate: LET_GO },
  readException: readRaised,
  adapterIsProgram: true,
}

function toChildExpression(
  parent: { expression: string | undefined; type: string | undefined },
  name: string,
): string | undefined {
  if (parent.expression === undefined) return undefined
  if (name.startsWith('@')) return `(${parent.expression}).instance_variable_get(:${name})`
  return parent.type === 'Array' || parent.type === 'Hash' ? `${parent.expression}[${name}]` : undefined
}

function readRaised({ reason, text }: { reason: string; text: string }): ExceptionInfo | undefined {
  const match = reason === 'exception' ? /^#<((?:\w+::)*\w+):(?!:) ?(.*)> is raised\.$/s.exec(text) : null
  return match === null ? undefined : { type: match[1] ?? '', message: match[2] ?? '' }
}

export function createRubySpec({ guard }: EngineEnvironment): AdapterSpec {
  const find = once(async () => findNewestProgram(/^rdbg(?:[\d.]+)?$/))
  return {
    name: 'rdbg',
    languages: ['ruby'],
    launchTypes: ['ruby', 'rdbg', 'ruby_lsp'],
    accepts: (program) => /\.(?:rb|ru|rake)$/i.test(program) || /\bruby/.test(readShebang(program)),
    async locate() {
      const found = await find()
      return found === undefined ? { found: false, install: installHint(HINTS) } : { found: true, what: found }
    },
    async open(request, context) {
      if (request.kind === 'attach') return openAttach(request, context)
      const rdbg = await find()
      if (rdbg === undefined) throw adapterMissing('rdbg (the gem debug)', installHint(HINTS))
      if (!existsSync(request.program))
        throw new ToolError('E_FILE_NOT_FOUND', `There is no program ${request.program}.`)
      return openLaunch(rdbg, request, context, guard)
    },
  }
}

interface Door {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** rdbg is a Ruby program that starts another Ruby: the second one alone takes half the time. */
async function openLaunch(
  rdbg: string,
  request: Launch,
  context: StartContext,
  guard: EngineEnvironment['guard'],
): Promise<OpenedAdapter> {
  const ruby = findRubyOf(rdbg)
  if (ruby !== undefined) {
    try {
      return await openAt((socketPath) => throughRuby(ruby, socketPath), request, context, guard)
    } catch (error) {
      // Where this Ruby does not find the gem, rdbg knows where it is.
      if (!(error instanceof ToolError) || !/cannot load such file -- debug\/open/.test(error.message)) throw error
    }
  }
  return openAt((socketPath) => throughRdbg(rdbg, socketPath), request, context, guard)
}

/** The Ruby that rdbg is for, by its first line; undefined: it cannot be told. */
export function findRubyOf(rdbg: string): string | undefined {
  const found = /^#!\s*(?:\S*\/env\s+(ruby\S*)|(\/\S*\/ruby[\d.]*))\s*$/.exec(readShebang(rdbg))
  const [, named, path] = found ?? []
  if (named !== undefined) return findOnPath(named)
  return path !== undefined && existsSync(path) ? path : undefined
}

const isWindows = process.platform === 'win32'

function throughRuby(ruby: string, socketPath: string): Door {
  const place = isWindows
    ? { RUBY_DEBUG_PORT: '0', RUBY_DEBUG_HOST: '127.0.0.1' }
    : { RUBY_DEBUG_SOCK_PATH: socketPath }
  return { command: ruby, args: ['-r', 'debug/open'], env: { ...place, RUBY_DEBUG_STOP_AT_LOAD: 'true' } }
}

function throughRdbg(rdbg: string, socketPath: string): Door {
  const place = isWindows ? ['--port=0', '--host=127.0.0.1'] : [`--sock-path=${socketPath}`]
  return { command: rdbg, args: ['--open', '--stop-at-load', ...place, '--'], env: {} }
}

async function openAt(
  toDoor: (socketPath: string) => Door,
  request: Launch,
  context: StartContext,
  guard: EngineEnvironment['guard'],
): Promise<OpenedAdapter> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-ruby-'))
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const socketPath = join(folder, 'rdbg')
  const { command, args, env } = toDoor(socketPath)
  const child = new AdapterProcess(
    {
      command,
      args: [...args, request.program, ...request.args],
      cwd: request.cwd,
      env: { ...request.env, ...env },
      base: context.environment,
    },
    guard,
    'the Ruby program',
  )
  // The program has it too, and nobody could type anything.
  child.stdin.end(request.stdin ?? '')
  try {
    const port = await waitUntilReady(child, context.signal)
    const address: SocketAddress = port === undefined ? { path: socketPath } : { host: '127.0.0.1', port }
    const socket = await connectWhenBound(address, child, context.signal)
    return {
      name: request.program,
      adapterId: 'rdbg',
      wire: createStreamWire(socket, socket, 'the program'),
      process: child,
      traits: RUBY_TRAITS,
      // As `attach` it stops where it waits; as `launch` it goes on from there.
      command: request.stopOnEntry ? 'attach' : 'launch',
      args: { localfs: true },
      isLaunched: true,
      startTimeout: READY_TIMEOUT_MS,
      cleanUp,
    }
  } catch (error) {
    await child.stop({ input: 0, terminate: 300 })
    await cleanUp()
    throw error
  }
}

/** The port it says, or undefined where it listens on the path that we gave. */
function waitUntilReady(child: AdapterProcess, signal: AbortSignal): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const fail = (code: string, why: string): void =>
    reject(new ToolError(code, `No debugger can be connected: ${why}. ${child.errorTail}`.trim()))
  const timer = setTimeout(() => fail('E_TIMEOUT', `nothing happened within ${READY_TIMEOUT_MS} ms`), READY_TIMEOUT_MS)
  const onAbort = (): void => reject(new ToolError('E_CANCELLED', 'Starting the debug session was cancelled.'))
  signal.addEventListener('abort', onAbort, { once: true })
  let said = ''
  const onText = (text: string): void => {
    // Its own words are short; what else comes by this way is not kept.
    said = (said + text).slice(-MAX_SAID)
    if (!said.includes('wait for debugger connection')) return
    const port = /via TCP\/IP \([^()]{0,100}?(\d{1,5})\)/.exec(said)?.[1]
    resolve(port === undefined ? undefined : Number(port))
  }
  child.stderr.on('data', onText)
  void child.exited.then(() => fail('E_LAUNCH_FAILED', child.describeExit()))
  return promise.finally(() => {
    clearTimeout(timer)
    child.stderr.off('data', onText)
    signal.removeEventListener('abort', onAbort)
  })
}

/** It says that it waits, and binds its socket a moment later, in another thread. */
async function connectWhenBound(address: SocketAddress, child: AdapterProcess, signal: AbortSignal): Promise<Socket> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectSocket(address, { signal })
    } catch (error) {
      if (signal.aborted || child.exit !== undefined || attempt === BIND_ATTEMPTS) throw error
      await delay(BIND_DELAY_MS)
    }
  }
}

/** A program that was started with `rdbg --open --port`. */
async function openAttach({ host, port, options }: Attach, context: StartContext): Promise<OpenedAdapter> {
  const path = readString(options.socketPath) ?? readString(options.debugPort)
  if (port === undefined && path === undefined) {
    throw new WrongArguments([{ field: 'attach', problem: 'needs the port that "rdbg --open" listens on' }])
  }
  const address: SocketAddress = port === undefined ? { path: path ?? '' } : { host: host ?? '127.0.0.1', port }
  const socket = await connectSocket(address, context)
  return {
    name: `Ruby at ${port ?? basename(path ?? '')}`,
    adapterId: 'rdbg',
    wire: createStreamWire(socket, socket, 'the program'),
    process: undefined,
    traits: { ...RUBY_TRAITS, adapterIsProgram: false },
    command: 'attach',
    args: { localfs: true },
    isLaunched: false,
    startTimeout: READY_TIMEOUT_MS,
  }
}

/** rdbg takes a condition that fails for one that does not hold. A missing method is a matter of the values at hand. */
function wrapCondition(condition: string, mark: string): string {
  const quoted = `'${condition.replace(/['\\]/g, '\\$&')}'`
  const line = `"${mark}#{$!.class}: #{$!.message.lines.first.to_s.chomp}\\n"`
  const tell = `($switchboard_failed ||= {})['${mark}'] ||= STDERR.write(${line})`
  return `(begin; eval(${quoted}); rescue NoMethodError; ${tell}; false; rescue NameError, SyntaxError; true; rescue StandardError; ${tell}; false; end)`
}
