/** C, C++ and Rust by lldb-dap. */

import { join } from 'node:path'
import type { Attach, Launch } from '../../engine/debug-session.ts'
import { readObject } from '../../json-values.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment } from '../engine-environment.ts'
import { ask, findNewestProgram, findOnPath, type InstallHints, installHint, once } from '../locate-program.ts'
import type { DapTraits } from '../traits.ts'
import { createStreamWire } from '../wire.ts'
import { describeTarget } from './describe-target.ts'
import { prepareInput } from './lldb-input.ts'
import { prepareQuickStart } from './lldb-quick-start.ts'
import {
  attachTarget,
  describeMissingInformation,
  findRustFormatters,
  isNativeProgram,
  isRustCatching,
  NATIVE_LANGUAGES,
  nativeLanguageOf,
  readAbort,
  readPanic,
  SHOWN_OF_TEXT,
  sliceNativeText,
  throwUnlessCompiled,
  tidyNativeName,
} from './native.ts'

const HINTS: InstallHints = {
  linux: 'sudo apt-get install lldb-19 (or any newer lldb)',
  darwin: 'xcode-select --install',
  win32: 'winget install LLVM.LLVM',
}

const COMMON: Omit<DapTraits, 'language' | 'exceptionFilters'> = {
  paging: 'range',
  textSlice: sliceNativeText,
  logpoints: 'native',
  // It understands a number only, and stops from that hit on.
  hitCondition: (operator, count) => (operator === '>=' && count > 0 ? String(count) : undefined),
  setVariable: 'native',
  hasTerminalOutput: true,
  // Of debug information by newer compilers it says what it does not understand.
  isChatter: (line) =>
    /^Running initCommands:|^\(lldb\) |^Process \d+ (?:exited|launched|stopped)|^(?:error|warning): .*\bDW_/.test(line),
  // lldb 19 breaks down at the end of Rust programs, when all is done, and prints its own stack.
  endsWithOwnErrors: true,
  frameName: tidyNativeName,
  isPauseSignal: (text) => /\bSIGSTOP\b/.test(text),
  // As `repl` it would take the text for a command of lldb.
  evaluateContext: (context) => (context === 'hover' ? 'hover' : 'watch'),
}

/** Uncaught exceptions end in abort(), and lldb stops at every fatal signal by itself. */
export const LLDB_TRAITS: DapTraits = {
  ...COMMON,
  language: 'cpp',
  exceptionFilters: { none: [], uncaught: [], all: ['cpp_throw'] },
  // Aborting is how an exception ends that nobody catches; a wrong address is no exception.
  isForcedStop: (text) => text.startsWith('signal SIGABRT'),
  readException: ({ reason, text }, output) => {
    const [, type, message] = /^signal (SIG\w+)(?:: (.*))?$/s.exec(text) ?? []
    if (reason !== 'exception' || type === undefined) return undefined
    const abort = type === 'SIGABRT' ? readAbort(output) : undefined
    return { type, message: message ?? text, ...abort, isUncaught: true }
  },
}

const RUST: DapTraits = {
  ...COMMON,
  language: 'rust',
  exceptionFilters: { none: [], uncaught: [], all: [] },
  panicFunctions: { uncaught: ['rust_panic'], all: ['rust_panic'] },
  isCatching: isRustCatching,
  readException: ({ reason }, output) =>
    reason === 'exception' ? { type: 'panic', message: readPanic(output), isUncaught: true } : undefined,
}

/** So that the length of all but the longest is told truly. */
const WHOLE_TEXTS = `settings set target.max-string-summary-length ${SHOWN_OF_TEXT}`

/** Half of the time to the first stop would be spent on symbols of system libraries that nobody asks for. */
const LAZY_SYMBOLS: readonly string[] = [
  'settings set target.preload-symbols false',
  ...(process.platform === 'linux' ? ['settings set symbols.enable-external-lookup false'] : []),
]

export function createLldbSpec({ guard, cacheFolder }: EngineEnvironment): AdapterSpec {
  const find = once(findLldb)
  const findFormatters = once(findRustFormatters)
  return {
    name: 'lldb-dap',
    languages: NATIVE_LANGUAGES,
    launchTypes: ['lldb-dap', 'lldb', 'lldb-vscode', 'codelldb', 'cppdbg', 'cppvsdbg'],
    accepts: isNativeProgram,
    async locate() {
      const found = await find()
      return found === undefined ? { found: false, install: describeInstall() } : { found: true, what: found }
    },
    async open(request, context) {
      const command = await find()
      if (command === undefined) throw adapterMissing('lldb-dap', describeInstall())
      if (request.kind === 'launch') throwUnlessCompiled(request.program)
      else attachTarget(request)
      const quick = await prepareQuickStart({
        folder: cacheFolder === undefined ? undefined : join(cacheFolder, 'lldb'),
        adapter: command,
        environment: context.environment ?? process.env,
      })
      const input = await prepareInput(request)
      const child = new AdapterProcess(
        { command, args: [], cwd: request.cwd, env: quick.env, base: context.environment },
        guard,
      )
      // While it starts: looking at a large program, and asking rustc, take their time.
      const language = nativeLanguageOf(request)
      const formatters = language === 'rust' ? await findFormatters() : []
      const args = toArguments(
        request,
        [...LAZY_SYMBOLS, WHOLE_TEXTS, ...input.commands, ...quick.commands, ...(formatters ?? [])],
        quick.programEnv,
      )
      return {
        ...describeTarget(request),
        adapterId: 'lldb-dap',
        wire: createStreamWire(child.stdout, child.stdin),
        process: child,
        traits: {
          ...(language === 'rust' ? RUST : { ...LLDB_TRAITS, language }),
          ...describeMissingInformation(request),
        },
        args,
        startTimeout: 60_000,
        cleanUp: input.cleanUp,
      }
    },
  }
}

/** Before lldb 18 the adapter was called lldb-vscode, and said neither why a program stopped nor at which breakpoint. */
function describeInstall(): string {
  const old = findNewestProgram(/^lldb-vscode(?:-\d+)?$/)
  const hint = installHint(HINTS)
  return old === undefined ? hint : `${hint}; ${old} is of an lldb before 18, which does not say why a program stopped`
}

async function findLldb(): Promise<string | undefined> {
  const found = findNewestProgram(/^lldb-dap(?:-\d+)?$/)
  if (found !== undefined || process.platform !== 'darwin') return found
  const xcrun = findOnPath('xcrun')
  return xcrun === undefined ? undefined : (await ask(xcrun, ['-f', 'lldb-dap']))?.trim()
}

function toArguments(
  request: Launch | Attach,
  initCommands: readonly string[],
  programEnv: Readonly<Record<string, string>>,
): object {
  const own = Array.isArray(request.options.initCommands) ? request.options.initCommands : []
  const common = { ...request.options, initCommands: [...initCommands, ...own] }
  if (request.kind === 'launch') {
    return {
      ...common,
      program: request.program,
      args: request.args,
      cwd: request.cwd,
      env: toEnvironmentList({ ...programEnv, ...request.env }),
      stopOnEntry: request.stopOnEntry,
      runInTerminal: false,
      // Members are shown where a type has no formatter of its own: an address tells nobody anything.
      enableAutoVariableSummaries: true,
    }
  }
  const target = attachTarget(request)
  return 'pid' in target
    ? { ...common, pid: target.pid }
    : { ...common, attachCommands: [`gdb-remote ${target.remote}`] }
}

/** A list is what every version of the adapter understands. */
function toEnvironmentList(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(readObject(environment)).map(([name, value]) => `${name}=${String(value)}`)
}
