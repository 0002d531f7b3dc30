/**
 * Which Python runs the program, and whose debugpy debugs it. The program's own interpreter comes first (the launch
 * option, a virtual environment of the workspace, then the PATH). When it has no debugpy, another interpreter's is
 * used: the adapter runs there, and its debugger is loaded into the program by path.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StartContext } from '../../engine/debug-session.ts'
import { ask, findOnPath, once } from '../locate-program.ts'

export interface PythonProbe {
  /** The real one, not a shim. */
  readonly executable: string
  readonly version: string
  /** The folder of the package debugpy, when it can be imported. */
  readonly debugpy: string | undefined
  /** Debian keeps this dependency of the debugger in a package of its own. */
  readonly bytecode: string | undefined
}

const PROBE = `
import sys
sys.path.pop(0)
import importlib.util, json
def place(name):
    spec = importlib.util.find_spec(name)
    return list(spec.submodule_search_locations)[0] if spec and spec.submodule_search_locations else None
print(json.dumps([sys.executable, ".".join(map(str, sys.version_info[:3])), place("debugpy"), place("bytecode")]))
`

async function probePython(command: string): Promise<PythonProbe | undefined> {
  const answer = await ask(command, ['-c', PROBE])
  if (answer === undefined) return undefined
  try {
    const [executable, version, debugpy, bytecode]: unknown[] = JSON.parse(answer)
    if (typeof executable !== 'string' || typeof version !== 'string') return undefined
    return {
      executable,
      version,
      debugpy: typeof debugpy === 'string' ? debugpy : undefined,
      bytecode: typeof bytecode === 'string' ? bytecode : undefined,
    }
  } catch {
    return undefined
  }
}

const isWindows = process.platform === 'win32'

/** Where an interpreter is looked for. */
type Surroundings = Pick<StartContext, 'workspace' | 'environment'>

/** Commands to try, best first. */
export function listPythons({ workspace, environment }: Surroundings, wanted: string | undefined): string[] {
  if (wanted !== undefined) return [wanted]
  const inEnvironment = (folder: string): string =>
    isWindows ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')
  const environments = ['.venv', 'venv', 'env'].map((name) => inEnvironment(join(workspace, name)))
  const active = (environment ?? process.env).VIRTUAL_ENV
  return [...environments, ...(active === undefined ? [] : [inEnvironment(active)])]
    .filter((path) => existsSync(path))
    .concat(listSystemPythons(environment))
}

function listSystemPythons(environment?: Surroundings['environment']): string[] {
  const names = isWindows ? ['python', 'py'] : ['python3', 'python']
  const found = names.map((name) => findOnPath(name, [], environment)).filter((path) => path !== undefined)
  return isWindows || !existsSync('/usr/bin/python3') ? found : [...found, '/usr/bin/python3']
}

export interface PythonRuntime {
  readonly program: PythonProbe
  readonly adapter: PythonProbe
  /** With a whole debugpy in it; undefined: the adapter's own is used as it is. */
  readonly bundle: string | undefined
}

export class PythonRuntimes {
  readonly #cacheFolder: string | undefined
  readonly #probes = new Map<string, () => Promise<PythonProbe | undefined>>()
  /** By command: the real executables that have debugpy. */
  readonly #proven = new Map<string, string>()
  /** Commands that have none, or do not run. */
  readonly #lacking = new Set<string>()

  constructor(cacheFolder: string | undefined) {
    this.#cacheFolder = cacheFolder
  }

  /** For what we make: kept where there is a cache, else for one session only. */
  async openFolder(): Promise<{ readonly path: string; cleanUp(): Promise<void> }> {
    if (this.#cacheFolder !== undefined) return { path: this.#cacheFolder, cleanUp: async () => {} }
    const path = await mkdtemp(join(tmpdir(), 'switchboard-python-'))
    return { path, cleanUp: () => rm(path, { recursive: true, force: true }) }
  }

  /** The Python that runs the program, unless it is known that it cannot debug by itself. Nothing is started. */
  guess(surroundings: Surroundings, wanted: string | undefined): string | undefined {
    const [command] = listPythons(surroundings, wanted)
    return command === undefined || this.#lacking.has(command) ? undefined : (this.#proven.get(command) ?? command)
  }

  /** A guess was right. A shim takes longer than the Python behind it. */
  remember(command: string, executable: string | undefined): void {
    if (executable !== undefined && executable !== command) this.#proven.set(command, executable)
  }

  forget(command: string): void {
    for (const [key, executable] of this.#proven) if (executable === command) this.#proven.delete(key)
    this.#lacking.add(command)
  }

  /** The first that has debugpy, for whether Python can be debugged at all. */
  async findDebugger(): Promise<PythonProbe | undefined> {
    for (const command of listSystemPythons()) {
      const probe = await this.#probe(command)
      if (probe?.debugpy !== undefined) return probe
    }
    return undefined
  }

  /** Undefined: there is no such Python; `adapter` undefined: nobody has debugpy. */
  async resolve(
    surroundings: Surroundings,
    wanted: string | undefined,
    folder: string,
  ): Promise<PythonRuntime | { readonly program: PythonProbe | undefined; readonly adapter: undefined }> {
    let program: PythonProbe | undefined
    for (const command of listPythons(surroundings, wanted)) {
      program ??= await this.#probe(command)
      if (program !== undefined) break
    }
    if (program === undefined) return { program, adapter: undefined }
    if (program.debugpy !== undefined) return { program, adapter: program, bundle: undefined }
    const adapter = await this.findDebugger()
    if (adapter === undefined) return { program, adapter }
    return { program, adapter, bundle: await findBundle(adapter, folder) }
  }

  #probe(command: string): Promise<PythonProbe | undefined> {
    let probe = this.#probes.get(command)
    if (probe === undefined) {
      probe = once(() => probePython(command))
      this.#probes.set(command, probe)
    }
    return probe()
  }
}

/** Only where debugpy lies scattered: one that brings its debugger along can be loaded from where it is. */
async function findBundle({ debugpy, bytecode }: PythonProbe, folder: string): Promise<string | undefined> {
  if (debugpy === undefined || bytecode === undefined || hasOwnDebugger(debugpy)) return undefined
  return ensureBundle(debugpy, bytecode, folder)
}

function hasOwnDebugger(debugpy: string): boolean {
  return existsSync(join(debugpy, '_vendored', 'pydevd', '_pydevd_frame_eval', 'vendored'))
}

/** One for each debugpy and its state; never changed once it is there, for others may be loading from it. */
async function ensureBundle(debugpy: string, bytecode: string, cacheFolder: string): Promise<string> {
  const { mtimeMs } = await stat(debugpy)
  const key = createHash('sha256').update(`${debugpy}\n${bytecode}\n${mtimeMs}`).digest('hex').slice(0, 16)
  const bundle = join(cacheFolder, `debugpy-${key}`)
  if (existsSync(bundle)) return bundle
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const fresh = await mkdtemp(join(cacheFolder, 'new-'))
  await linkBundle(debugpy, bytecode, fresh)
  try {
    await rename(fresh, bundle)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster, with the same links.
    if (!existsSync(bundle)) throw error
  }
  return bundle
}

/** Links that put debugpy, its debugger and what that imports into the one shape that works everywhere. */
async function linkBundle(debugpy: string, bytecode: string, folder: string): Promise<void> {
  const vendored = join(folder, 'debugpy', '_vendored')
  await mkdir(join(vendored, 'pydevd'), { recursive: true })
  await linkAll(debugpy, join(folder, 'debugpy'), ['_vendored'])
  await linkAll(join(debugpy, '_vendored'), vendored, ['pydevd'])
  await linkAll(join(debugpy, '_vendored', 'pydevd'), join(vendored, 'pydevd'), [])
  await symlink(bytecode, join(vendored, 'pydevd', 'bytecode'))
}

async function linkAll(from: string, to: string, without: readonly string[]): Promise<void> {
  for (const name of readdirSync(from)) {
    if (!without.includes(name)) await symlink(join(from, name), join(to, name))
  }
}
