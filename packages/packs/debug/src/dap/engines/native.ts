/** What lldb and gdb have in common: compiled programs of C, C++ and Rust. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { DebugError } from '../../session/debug-error.ts'
import type { Attach, Launch } from '../../session/debug-session.ts'
import { readString } from '../json.ts'
import { ask, findProgram } from '../locate-program.ts'
import { hasDebugInformation } from './debug-information.ts'
import { readProgramKind } from './first-bytes.ts'
import { PATCH_RUST_ENUMS } from './rust-enums.ts'

export const NATIVE_LANGUAGES: readonly string[] = ['cpp', 'c', 'rust']

const COMPILE: Readonly<Record<string, (source: string, program: string) => string>> = {
  '.c': (source, program) => `cc -g -O0 -o ${program} ${source}`,
  '.cc': (source, program) => `c++ -g -O0 -o ${program} ${source}`,
  '.cpp': (source, program) => `c++ -g -O0 -o ${program} ${source}`,
  '.cxx': (source, program) => `c++ -g -O0 -o ${program} ${source}`,
  '.rs': (source, program) => `rustc -g -o ${program} ${source} (or: cargo build)`,
}

/** Sources are accepted too, so that the refusal can say how to compile them. */
export function isNativeProgram(program: string): boolean {
  return COMPILE[extname(program).toLowerCase()] !== undefined || readProgramKind(program) === 'native'
}

export function throwUnlessCompiled(program: string): void {
  const compile = COMPILE[extname(program).toLowerCase()]
  if (compile !== undefined) {
    const name = basename(program)
    const command = compile(name, name.slice(0, -extname(name).length))
    throw new DebugError(
      'E_INVALID_PROGRAM',
      `${program} is source code; compile it with debug information and start the program: ${command}`,
      { details: { compile: command } },
    )
  }
  if (!existsSync(program)) throw new DebugError('E_FILE_NOT_FOUND', `There is no program ${program}. Build it first.`)
  const kind = readProgramKind(program)
  if (kind === 'native' || kind === 'go') return
  throw new DebugError(
    'E_INVALID_PROGRAM',
    `${program} is not a compiled program, so lldb and gdb cannot run it. Give the compiled binary.`,
  )
}

/** What a debugger says of it is that it knows no code for any line. */
export function describeMissingInformation(request: Launch | Attach): { unboundReason?: string } {
  if (request.kind === 'attach' || hasDebugInformation(request.program) !== false) return {}
  const name = basename(request.program)
  return { unboundReason: `${name} was compiled without debug information: compile it with -g (and -O0), then restart` }
}

/** A larger file is not searched. */
const MAX_SEARCHED_BYTES = 128 * 1024 * 1024

export function nativeLanguageOf(request: Launch | Attach): string {
  const said = readString(request.options.language)
  if (said !== undefined && NATIVE_LANGUAGES.includes(said)) return said
  return request.kind === 'launch' && isRustProgram(request.program) ? 'rust' : 'cpp'
}

function isRustProgram(program: string): boolean {
  try {
    if (statSync(program).size > MAX_SEARCHED_BYTES) return false
    return readFileSync(program).includes('rust_panic')
  } catch {
    return false
  }
}

/** `app::run::h0123456789abcdef` and `::run()`: the parts that no source has are left out. */
export function tidyNativeName(name: string): string {
  return name.replace(/^::(?=\w)/, '').replace(/::h[0-9a-f]{16}$/, '')
}

export function isRustCatching(functionName: string): boolean {
  return /\bcatch_unwind\b/.test(functionName)
}

/** What a Rust program says on its standard error when it panics; the message is on the same line in older versions. */
export function readPanic(output: string): string {
  const start = output.lastIndexOf('panicked at')
  if (start === -1) return ''
  const [first = '', second = ''] = output.slice(start + 'panicked at'.length).split(/\r?\n/)
  const older = /^ '(.*)', [^']+:\d+:\d+$/.exec(first)?.[1]
  return older ?? second.trim()
}

/** The scripts that come with Rust and show its strings and vectors as such. */
export async function findRustFormatters(): Promise<string[]> {
  const rustc = findProgram('rustc')
  const root = rustc === undefined ? undefined : (await ask(rustc, ['--print', 'sysroot']))?.trim()
  const folders = [
    ...(root === undefined || root === '' ? [] : [join(root, 'lib', 'rustlib', 'etc')]),
    '/usr/lib/rustlib/etc',
  ]
  const folder = folders.find((candidate) => existsSync(join(candidate, 'lldb_lookup.py')))
  if (folder === undefined) return []
  const commands = join(folder, 'lldb_commands')
  return [
    `command script import "${join(folder, 'lldb_lookup.py')}"`,
    ...(existsSync(commands) ? [`command source -s 1 "${commands}"`] : []),
    PATCH_RUST_ENUMS,
  ]
}

export function attachTarget({ pid, port, host }: Attach): { pid: number } | { remote: string } {
  if (pid !== undefined) return { pid }
  if (port !== undefined) return { remote: `${host ?? '127.0.0.1'}:${port}` }
  throw new DebugError(
    'E_INVALID_PARAMS',
    'To attach to a compiled program, give its pid, or the port of a debug server.',
  )
}
