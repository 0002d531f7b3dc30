/** Which command runs a program: the person's Node, with what TypeScript needs. */

import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describeWrongValue } from '@switchboard/config/arguments'
import { createChildEnvironment, resolveCommand } from '@switchboard/process'
import type { JsonObject } from '@switchboard/protocol'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import { parse } from 'jsonc-parser'
import type { Launch } from '../engine/debug-session.ts'
import { readObject } from '../json-values.ts'
import { readSourceText } from '../workspace/source-text.ts'
import { findStripProblem, type StripProblem } from './strip-problem.ts'
import { chooseTestName } from './test-name.ts'

const run = promisify(execFile)
const TYPESCRIPT = ['.ts', '.mts', '.cts', '.tsx']
/** Until Node 26. It warns that this may change, which is nothing that the program says. */
const TRANSFORM_TYPES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning']
const versions = new Map<string, Promise<readonly [major: number, minor: number]>>()

export interface NodeCommand {
  readonly command: string
  readonly args: readonly string[]
  /** The file that is run: the program, or what was compiled of it. */
  readonly entry: string
}

export function isTypeScript(program: string): boolean {
  return TYPESCRIPT.includes(extname(program).toLowerCase())
}

/** The first `node` on the path; our own when there is none. */
export function findNode(base?: Readonly<Record<string, string>>): string {
  const environment = createChildEnvironment({}, true, base)
  const found = resolveCommand('node', { cwd: undefined, environment })
  return found.found ? found.path : process.execPath
}

export async function chooseNodeCommand(
  { program, args, cwd, options }: Launch,
  base?: Readonly<Record<string, string>>,
): Promise<NodeCommand> {
  const wanted = readTextOption(options, 'runtimeExecutable')
  const command = wanted === undefined ? findNode(base) : (findInstalled(wanted, cwd) ?? wanted)
  const testName = await chooseTestName(options, async () => (await readVersion(command))[0])
  const runtimeArgs = [...testName, ...readTextsOption(options, 'runtimeArgs')]
  const target = program === '' ? [] : [program]
  const plain = { command, args: [...runtimeArgs, ...target, ...args], entry: program }
  if (!isTypeScript(program) || isChosenByPerson(options, runtimeArgs)) return plain
  if (hasTsx(dirname(program)) || hasTsx(cwd)) {
    return { ...plain, args: ['--import', 'tsx', ...runtimeArgs, program, ...args] }
  }
  const [major, minor] = await readVersion(command)
  const stripsTypes =
    extname(program) !== '.tsx' && (major > 22 || (major === 22 && minor >= 18)) && !(major === 23 && minor < 6)
  const project = readProject(program)
  const problem = stripsTypes ? findStripProblem(program, project.aliases) : undefined
  if (stripsTypes && problem === undefined) return plain
  const compiled = findCompiled(program, project)
  if (compiled !== undefined) return { command, args: [...runtimeArgs, compiled, ...args], entry: compiled }
  if (problem?.isSyntax === true && major < 26) {
    return { ...plain, args: [...TRANSFORM_TYPES, ...runtimeArgs, program, ...args] }
  }
  throw createRefusal(program, `Node ${major}.${minor} (${command})`, problem)
}

function createRefusal(program: string, node: string, problem: StripProblem | undefined): ToolError {
  const why = problem === undefined ? '' : ` as it is: ${problem.path}:${problem.line} has ${problem.what}`
  const ways = ['install tsx in the project', 'compile it with source maps and start it again']
  if (problem === undefined) ways.unshift('use Node 22.18 or later')
  return new ToolError('E_LAUNCH_FAILED', `${node} cannot run ${program}${why}. To run it: ${ways.join(', or ')}.`)
}

/** Another program than Node, or a loader of their own: they know what they do. */
function isChosenByPerson(options: Launch['options'], runtimeArgs: readonly string[]): boolean {
  const executable = readTextOption(options, 'runtimeExecutable')
  if (executable !== undefined && !/^node(?:js)?(?:\.exe)?$/i.test(executable.split(/[\\/]/).at(-1) ?? '')) return true
  return runtimeArgs.some((argument) => /^(?:--import|--loader|--experimental-loader|--require|-r)\b/.test(argument))
}

/** `tsx`, `nodemon` and the like are commands of the project before they are commands of the machine. */
function findInstalled(name: string, folder: string): string | undefined {
  if (!/^[\w.-]+$/.test(name) || /^node(?:js)?(?:\.exe)?$/i.test(name)) return undefined
  const file = process.platform === 'win32' ? `${name}.cmd` : name
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, 'node_modules', '.bin', file)
    if (existsSync(path)) return path
    if (dirname(at) === at) return undefined
  }
}

function hasTsx(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', 'tsx', 'package.json'))) return true
    if (dirname(at) === at) return false
  }
}

function readVersion(command: string): Promise<readonly [number, number]> {
  const stamp = statSync(command, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const key = `${command}\0${stamp}`
  const known = versions.get(key)
  if (known !== undefined) return known
  const reading = run(command, ['--version'], { timeout: 10_000 }).then(({ stdout }) => {
    const [, major = '0', minor = '0'] = /^v(\d+)\.(\d+)/.exec(stdout) ?? []
    return [Number(major), Number(minor)] as const
  })
  versions.set(key, reading)
  reading.catch(() => versions.delete(key))
  return reading
}

interface Project {
  /** Of the nearest tsconfig.json; undefined: there is none. */
  readonly folder: string | undefined
  readonly options: Readonly<Record<string, unknown>>
  /** Names, and beginnings that end with a slash, which only a compiler understands. */
  readonly aliases: readonly string[]
}

function readProject(program: string): Project {
  for (let at = dirname(program); ; at = dirname(at)) {
    const file = join(at, 'tsconfig.json')
    if (existsSync(file)) {
      const options = readCompilerOptions(file)
      const aliases = Object.keys(Object(options.paths)).filter((alias) => alias !== '*')
      return { folder: at, options, aliases: aliases.map((alias) => alias.replace(/\*$/, '')) }
    }
    if (dirname(at) === at) return { folder: undefined, options: {}, aliases: [] }
  }
}

/** None where the file cannot be read or is something else. */
function readCompilerOptions(file: string): JsonObject {
  try {
    return readObject(readObject(parse(readSourceText(file) ?? '')).compilerOptions)
  } catch {
    return {}
  }
}

/** What tsconfig.json says becomes of it, when it is there. */
function findCompiled(program: string, { folder, options }: Project): string | undefined {
  const made = program.replace(/\.([mc]?)tsx?$/, '.$1js')
  if (folder === undefined) return existsSync(made) ? made : undefined
  const out = typeof options.outDir === 'string' ? resolve(folder, options.outDir) : undefined
  const root = typeof options.rootDir === 'string' ? resolve(folder, options.rootDir) : undefined
  const candidates = [root, join(folder, 'src'), folder].flatMap((base) =>
    out === undefined || base === undefined ? [] : [join(out, relative(base, made))],
  )
  return [...candidates, made].find((path) => existsSync(path))
}

export function readTextOption(options: Launch['options'], name: string): string | undefined {
  const value = options[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new WrongArguments([describeWrongValue(name, 'a text', value)])
}

function readTextsOption(options: Launch['options'], name: string): readonly string[] {
  const value = options[name] ?? []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new WrongArguments([describeWrongValue(name, 'a list of texts', value)])
}
