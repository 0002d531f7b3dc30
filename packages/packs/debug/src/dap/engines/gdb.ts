/** C, C++ and Rust by gdb itself, which speaks the protocol from version 14 on. */

import type { Attach, Launch } from '../../engine/debug-session.ts'
import { AdapterProcess } from '../adapter-process.ts'
import { type AdapterSpec, adapterMissing, type EngineEnvironment, throwOnInput } from '../engine-environment.ts'
import { ask, findOnPath, type InstallHints, installHint, once } from '../locate-program.ts'
import type { DapTraits } from '../traits.ts'
import { createStreamWire } from '../wire.ts'
import { describeTarget } from './describe-target.ts'
import {
  attachTarget,
  describeMissingInformation,
  isNativeProgram,
  isRustCatching,
  NATIVE_LANGUAGES,
  nativeLanguageOf,
  readPanic,
  throwUnlessCompiled,
  tidyNativeName,
} from './native.ts'

const FIRST_VERSION = 14

const HINTS: InstallHints = {
  linux: 'sudo apt-get install gdb (version 14 or newer; where it is older, lldb-19 does the same)',
  darwin: 'brew install gdb (or use lldb: xcode-select --install)',
  win32: 'winget install LLVM.LLVM (lldb does the same)',
}

export const GDB_TRAITS: DapTraits = {
  language: 'cpp',
  exceptionFilters: { none: [], uncaught: [], all: ['throw', 'exception'] },
  paging: 'range',
  // Its log messages lack line ends, and its hit conditions are counts to ignore.
  logpoints: 'emulated',
  setVariable: 'native',
  frameName: tidyNativeName,
  evaluateContext: (context) => (context === 'hover' ? 'hover' : 'watch'),
}

const RUST_TRAITS: DapTraits = {
  ...GDB_TRAITS,
  language: 'rust',
  exceptionFilters: { none: [], uncaught: [], all: [] },
  panicFunctions: { uncaught: ['rust_panic'], all: ['rust_panic'] },
  isCatching: isRustCatching,
  readException: ({ reason }, output) =>
    reason === 'exception' ? { type: 'panic', message: readPanic(output), isUncaught: true } : undefined,
}

export interface FoundGdb {
  readonly path: string
  readonly version: string
}

/** `GNU gdb (Debian 13.1-3) 13.1`: the last number counts, distributions write theirs in parentheses. */
export function readGdbVersion(text: string): string | undefined {
  return /(?<![\d.])(\d+(?:\.\d+)+)\s*$/.exec(text.split('\n')[0] ?? '')?.[1]
}

export function speaksDap(version: string): boolean {
  return Number.parseInt(version, 10) >= FIRST_VERSION
}

async function findGdb(): Promise<FoundGdb | undefined> {
  const path = findOnPath('gdb')
  const version = path === undefined ? undefined : readGdbVersion((await ask(path, ['--version'])) ?? '')
  return path !== undefined && version !== undefined && speaksDap(version) ? { path, version } : undefined
}

export function createGdbSpec({ guard }: EngineEnvironment): AdapterSpec {
  const find = once(findGdb)
  return {
    name: 'gdb',
    languages: NATIVE_LANGUAGES,
    launchTypes: ['gdb', 'cppdbg', 'lldb', 'codelldb'],
    accepts: isNativeProgram,
    async locate() {
      const found = await find()
      if (found === undefined) return { found: false, install: installHint(HINTS) }
      return { found: true, what: `gdb ${found.version} (${found.path})` }
    },
    async open(request, context) {
      const gdb = await find()
      if (gdb === undefined) throw adapterMissing(`gdb ${FIRST_VERSION} or newer`, installHint(HINTS))
      if (request.kind === 'launch') throwUnlessCompiled(request.program)
      throwOnInput(request, 'gdb')
      const args = toArguments(request)
      const child = new AdapterProcess(
        { command: gdb.path, args: ['-q', '-nx', '-i', 'dap'], cwd: request.cwd, env: {}, base: context.environment },
        guard,
      )
      const language = nativeLanguageOf(request)
      return {
        ...describeTarget(request),
        adapterId: 'gdb',
        wire: createStreamWire(child.stdout, child.stdin),
        process: child,
        traits: {
          ...(language === 'rust' ? RUST_TRAITS : { ...GDB_TRAITS, language }),
          ...describeMissingInformation(request),
        },
        args,
        startTimeout: 60_000,
      }
    },
  }
}

function toArguments(request: Launch | Attach): object {
  if (request.kind === 'launch') {
    return {
      program: request.program,
      args: request.args,
      cwd: request.cwd,
      env: request.env,
      stopAtBeginningOfMainSubprogram: request.stopOnEntry,
    }
  }
  const target = attachTarget(request)
  return 'pid' in target ? { pid: target.pid } : { target: target.remote }
}
