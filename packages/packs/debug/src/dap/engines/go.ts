/** Go by delve. It builds packages and tests itself; a program that is built already is taken as it is. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import type { Attach, Launch, StartContext } from '../../engine/debug-session.ts'
import { readString } from '../../json-values.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment } from '../engine-environment.ts'
import { listenOnce } from '../listen-once.ts'
import { findOnPath, type InstallHints, installHint, once } from '../locate-program.ts'
import type { OpenedAdapter } from '../session-life.ts'
import type { DapTraits } from '../traits.ts'
import { connectSocket, createStreamWire } from '../wire.ts'
import { describeTarget } from './describe-target.ts'
import { readProgramKind } from './first-bytes.ts'

const HINTS: InstallHints = {
  linux: 'go install github.com/go-delve/delve/cmd/dlv@latest (or: sudo apt-get install delve)',
  darwin: 'go install github.com/go-delve/delve/cmd/dlv@latest (or: brew install delve)',
  win32: 'go install github.com/go-delve/delve/cmd/dlv@latest',
}
const GO_HINTS: InstallHints = {
  linux: 'sudo apt-get install golang-go (or the archive from go.dev)',
  darwin: 'brew install go',
  win32: 'winget install GoLang.Go',
}

/** A first build with the optimizer off compiles the standard library anew. */
const BUILD_TIMEOUT_MS = 300_000

export const GO_TRAITS: DapTraits = {
  language: 'go',
  exceptionFilters: { none: [], uncaught: [], all: [] },
  panicFunctions: { all: ['runtime.gopanic'] },
  panicValue: { expression: 'e', toMessage: toPanicMessage },
  // Of a deadlock it tells here, and nothing when it is asked.
  readException: ({ reason, text, description }) =>
    reason === 'exception' && text !== '' && /^(?:panic|fatal error)$/.test(description)
      ? { type: description, message: toPanicMessage(text), isUncaught: true }
      : undefined,
  // Panics that nobody recovers from are always stopped at.
  isForcedStop: () => true,
  paging: 'indexed',
  hitCondition: (operator, count) => `${operator} ${count}`,
  textSlice: (expression, type) =>
    type === 'string'
      ? {
          isCut: (value) => /\.\.\.\+\d{1,15} more"$/.test(value),
          isInBytes: true,
          length: `len(${expression})`,
          piece: (start, end) => `(${expression})[${start}:${end}]`,
          most: 500,
        }
      : undefined,
  logpoints: 'native',
  setVariable: 'native',
  elementSlice: (expression, index) => `${expression}[${index}:${index + 1}]`,
  keepsOldValues: true,
  outputOnStdout: true,
  errorsOnStderr: { isOwnLine: (line) => /^\d{4}-\d\d-\d\dT\S+ (?:debug|info|warning|error) /.test(line) },
  readExitCode: (line) => toNumber(/^Process \d+ has exited with status (-?\d+)/.exec(line)?.[1]),
  isChatter: (line) => /^Type 'dlv help'|^Detaching|^Process \d+ has exited/.test(line),
  guessesTotalFrames: true,
  beforeDetach: { continues: true },
  isGone: (text) => text === 'no such process',
}

/** `interface {}(string) "no such thing"`: what stands in the interface. */
export function toPanicMessage(value: string): string {
  const inside = value.replace(/^interface \{\}\([^)]*\) /, '')
  return /^"(.*)"$/s.exec(inside)?.[1] ?? inside
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

export function createGoSpec({ guard }: EngineEnvironment): AdapterSpec {
  const find = once(async () => findOnPath('dlv', [join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin')]))
  return {
    name: 'delve',
    languages: ['go'],
    launchTypes: ['go', 'delve'],
    accepts: isGoProgram,
    async locate() {
      const found = await find()
      return found === undefined ? { found: false, install: installHint(HINTS) } : { found: true, what: found }
    },
    async open(request, context) {
      if (request.kind === 'attach' && request.port !== undefined) return openRemote(request, context)
      const dlv = await find()
      if (dlv === undefined) throw adapterMissing('delve (dlv)', installHint(HINTS))
      const plan = request.kind === 'launch' ? planLaunch(request) : planAttach(request)
      const scratch = plan.builds ? await mkdtemp(join(tmpdir(), 'switchboard-go-')) : undefined
      const cleanUp = async (): Promise<void> => {
        if (scratch !== undefined) await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
      }
      const listener = await listenOnce()
      let child: AdapterProcess | undefined
      try {
        child = new AdapterProcess(
          {
            command: dlv,
            args: ['dap', '--client-addr', listener.address, '--check-go-version=false'],
            cwd: plan.folder,
            env: request.kind === 'launch' ? request.env : {},
            base: context.environment,
          },
          guard,
        )
        // The program has it too, and nobody could type anything.
        child.stdin.end(request.kind === 'launch' ? (request.stdin ?? '') : '')
        const socket = await listener.accept(child, { signal: context.signal, timeout: 20_000 })
        return {
          ...describe(request),
          wire: createStreamWire(socket, socket),
          process: child,
          args: { ...plan.args, ...(scratch === undefined ? {} : { output: join(scratch, 'program') }) },
          startTimeout: plan.builds ? BUILD_TIMEOUT_MS : 60_000,
          cleanUp,
        }
      } catch (error) {
        listener.close()
        await child?.stop({ input: 0, terminate: 200 })
        await cleanUp()
        throw error
      }
    },
  }
}

type Described = Pick<OpenedAdapter, 'name' | 'adapterId' | 'traits' | 'command' | 'isLaunched'>

function describe(request: Launch | Attach): Described {
  return {
    ...describeTarget(request),
    adapterId: 'go',
    traits: GO_TRAITS,
  }
}

/** Somebody else's delve, started with `dlv exec --headless` or the like; a `dlv dap` has no program yet. */
async function openRemote(request: Attach, { signal }: StartContext): Promise<OpenedAdapter> {
  const socket = await connectSocket({ host: request.host ?? '127.0.0.1', port: request.port ?? 0 }, { signal })
  return {
    ...describe(request),
    wire: createStreamWire(socket, socket),
    process: undefined,
    args: { ...request.options, mode: 'remote' },
    startTimeout: 60_000,
  }
}

interface Plan {
  readonly folder: string
  readonly builds: boolean
  readonly args: object
}

function planLaunch(request: Launch): Plan {
  const { program, args, cwd, stopOnEntry, options } = request
  if (!existsSync(program)) throw new ToolError('E_FILE_NOT_FOUND', `There is no program ${program}.`)
  const mode = readString(options.mode) ?? guessMode(program)
  const isFolder = statSync(program).isDirectory()
  const builds = mode !== 'exec'
  if (builds && findOnPath('go', ['/usr/local/go/bin']) === undefined) throw adapterMissing('go', installHint(GO_HINTS))
  const folder = builds ? (isFolder ? program : dirname(program)) : cwd
  const { language: _, ...passed } = options
  return {
    folder,
    builds,
    args: {
      hideSystemGoroutines: true,
      ...passed,
      mode,
      // A test file alone is no package: delve builds the folder.
      program: mode === 'test' && !isFolder ? folder : program,
      args,
      cwd,
      stopOnEntry,
    },
  }
}

function guessMode(program: string): 'exec' | 'test' | 'debug' {
  if (program.endsWith('_test.go')) return 'test'
  if (program.endsWith('.go') || statSync(program).isDirectory()) return 'debug'
  return 'exec'
}

function planAttach({ pid, cwd, options }: Attach): Plan {
  if (pid === undefined)
    throw new WrongArguments([
      { field: 'attach', problem: 'needs the pid of a Go program, or the port of a delve server' },
    ])
  return { folder: cwd, builds: false, args: { hideSystemGoroutines: true, ...options, mode: 'local', processId: pid } }
}

function isGoProgram(program: string): boolean {
  if (program.endsWith('.go')) return true
  if (isFolder(program)) return readdirSync(program).some((name) => name.endsWith('.go') || name === 'go.mod')
  return readProgramKind(program) === 'go'
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
