/** What lldb and gdb have in common: compiled programs of C, C++ and Rust. */
import { existsSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { readPart, withForeignFile } from '@switchboard/base'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import type { Attach, Launch } from '../../engine/debug-session.ts'
import { readString } from '../../json-values.ts'
import { ask, findOnPath } from '../locate-program.ts'
import type { TextSlice } from '../traits.ts'
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
    throw new ToolError(
      'E_INVALID_PROGRAM',
      `${program} is source code; compile it with debug information and start the program: ${command}`,
      { details: { compile: command } },
    )
  }
  if (!existsSync(program)) throw new ToolError('E_FILE_NOT_FOUND', `There is no program ${program}. Build it first.`)
  const kind = readProgramKind(program)
  if (kind === 'native' || kind === 'go') return
  throw new ToolError(
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
const SEARCHED_PIECE = 4 * 1024 * 1024
const RUST_MARK = 'rust_panic'

export function nativeLanguageOf(request: Launch | Attach): string {
  const said = readString(request.options.language)
  if (said !== undefined && NATIVE_LANGUAGES.includes(said)) return said
  return request.kind === 'launch' && isRustProgram(request.program) ? 'rust' : 'cpp'
}

function isRustProgram(program: string): boolean {
  try {
    return withForeignFile(program, { maxBytes: MAX_SEARCHED_BYTES }, ({ fd, size }) => includes(fd, size, RUST_MARK))
  } catch {
    return false
  }
}

/** Piece by piece: a program need not be whole in memory to be searched. */
function includes(fd: number, size: number, mark: string): boolean {
  for (let at = 0; at < size; at += SEARCHED_PIECE) {
    if (readPart(fd, at, Math.min(size - at, SEARCHED_PIECE + mark.length)).includes(mark)) return true
  }
  return false
}

/** `app::run::h0123456789abcdef` and `::run()`: the parts that no source has are left out. */
export function tidyNativeName(name: string): string {
  return name.replace(/^::(?=\w)/, '').replace(/::h[0-9a-f]{16}$/, '')
}

export function isRustCatching(functionName: string): boolean {
  return /\bcatch_unwind\b/.test(functionName)
}

/** What a Rust program says on its standard error when it panics. What differs in an assertion stands on lines of its own. */
export function readPanic(output: string): string {
  const start = output.lastIndexOf('panicked at')
  if (start === -1) return ''
  const [first = '', ...rest] = output.slice(start + 'panicked at'.length).split(/\r?\n/)
  const end = rest.findIndex((line) => /^(?:note: run with|stack backtrace:)/.test(line))
  const lines = end === -1 ? rest : rest.slice(0, end)
  // Until 1.72 the message came first, in quotes, and its place after it.
  return first.startsWith(" '") ? readQuotedPanic([first.slice(2), ...lines]) : lines.join('\n').trim()
}

function readQuotedPanic(lines: readonly string[]): string {
  const last = lines.findIndex((line) => /', [^']+:\d+:\d+$/.test(line))
  const message = lines.slice(0, last === -1 ? 1 : last + 1).join('\n')
  return message.slice(0, last === -1 ? undefined : message.lastIndexOf("', "))
}

/** Characters that lldb shows of a text; unless it is told so, a thousand. */
export const SHOWN_OF_TEXT = 65_536
const PIECE_OF_TEXT = 10_000
const IN_BYTES = { isCut: (value: string): boolean => value.endsWith('"...'), isInBytes: true }

/** Of Rust the scripts show a text whole. */
export function sliceNativeText(expression: string, type: string): TextSlice | undefined {
  if (/\bchar(?: const)? ?(?:\*(?: const)?|\[\d+\])$/.test(type)) {
    const piece = (start: number): string => `(const char *)&(${expression})[${start}]`
    return { ...IN_BYTES, length: `(unsigned long)strlen(${expression})`, piece, most: PIECE_OF_TEXT }
  }
  if (!/^(?:const )?std::(?:__cxx11::)?(?:string|basic_string<char\b.*)(?: ?&)?$/.test(type)) return undefined
  // As the library of GNU has it: to call a function of its own, it would have to be in the program.
  const data = `(${expression})._M_dataplus._M_p`
  const piece = (start: number): string => `(const char *)(${data} + ${start})`
  return { ...IN_BYTES, length: `(${expression})._M_string_length`, piece, most: PIECE_OF_TEXT }
}

/** What libraries of C and C++ say on the standard error before they abort, the last of it first. */
export function readAbort(output: string): { type?: string; message: string } | undefined {
  const lines = output.split(/\r?\n/)
  for (const [index, line] of [...lines.entries()].reverse()) {
    const thrown = /^terminate called after throwing an instance of '(.+)'$/.exec(line)
    if (thrown !== null) {
      const said = lines.slice(index + 1).join('\n')
      return { type: thrown[1] ?? '', message: /^ {2}what\(\): {2}(.*)/s.exec(said)?.[1]?.trim() ?? '' }
    }
    const [, uncaught] = /^libc\+\+abi: terminating .{1,40}exception of type (.+)$/.exec(line) ?? []
    if (uncaught !== undefined) {
      const [type = '', ...message] = uncaught.split(': ')
      return { type, message: message.join(': ') }
    }
    const failed = line.indexOf('Assertion ')
    if (failed >= 0 && /failed\b/.test(line)) return { message: line.slice(failed) }
    if (
      /^(?:\*\*\* |free\(\)|malloc\(\)|realloc\(\)|munmap_chunk\(\)|double free|corrupted |terminate called)/.test(line)
    ) {
      return { message: line }
    }
  }
  return undefined
}

/** Debian's Rust comes without its scripts, and a text would be shown up to the next zero byte: far beyond its own end. */
const SHOW_RUST_TEXT = [
  'p = valobj.GetChildMemberWithName("data_ptr").GetValueAsUnsigned(0)',
  'n = valobj.GetChildMemberWithName("length").GetValueAsUnsigned(0)',
  'b = valobj.GetProcess().ReadMemory(p, min(n, 1048576), lldb.SBError()) if n else b""',
  `return None if b is None else chr(34) + b.decode("utf-8", "replace") + chr(34)`,
].join('; ')

/** The scripts that come with Rust and show its strings and vectors as such. */
export async function findRustFormatters(): Promise<string[]> {
  const rustc = findOnPath('rustc')
  const root = rustc === undefined ? undefined : (await ask(rustc, ['--print', 'sysroot']))?.trim()
  const folders = [
    ...(root === undefined || root === '' ? [] : [join(root, 'lib', 'rustlib', 'etc')]),
    '/usr/lib/rustlib/etc',
  ]
  const folder = folders.find((candidate) => existsSync(join(candidate, 'lldb_lookup.py')))
  if (folder === undefined) return [`type summary add --regex "^&(mut )?str$" --python-script '${SHOW_RUST_TEXT}'`]
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
  throw new WrongArguments([
    { field: 'attach', problem: 'needs the pid of a compiled program, or the port of a debug server' },
  ])
}
