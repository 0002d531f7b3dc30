/**
 * The environment that lldb is started in on Linux, so that it finds its own Python module (lldb-module.ts) and starts in half
 * the time. Two things that it does anew at each start can be spared:
 *
 * - Its Python module is more than half a megabyte of source, and lldb tells Python to keep no byte code. A hook that
 *   Python loads first keeps it here instead, for every module that has none of its own.
 * - Its server runs `lsb_release`, a script of a dozen processes, to learn the name of the distribution, which nobody
 *   asks for. Without a PATH that script gives up at once, so the server is started through a script that takes it away.
 *
 * The program that is debugged sees nothing of either. Where something is not as expected, lldb starts as it always does.
 */
import { constants, existsSync } from 'node:fs'
import { access, readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { writeFileAtomically } from '@switchboard/base'
import { findLldbModule } from './lldb-module.ts'

export interface QuickStart {
  /** For the adapter. */
  readonly env: Readonly<Record<string, string>>
  /** Takes the adapter's variables away from the program. */
  readonly commands: readonly string[]
  /** What the program has in their place. */
  readonly programEnv: Readonly<Record<string, string>>
}

export interface QuickStartOptions {
  /** A private folder; without one nothing is spared. */
  readonly folder: string | undefined
  /** The path of lldb-dap. */
  readonly adapter: string
  /** Which the adapter will inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export const NO_QUICK_START: QuickStart = { env: {}, commands: [], programEnv: {} }

/** Python imports a module of this name by itself when it starts. */
const HOOK_NAME = 'usercustomize.py'
const SERVER_NAME = 'lldb-server'
const SERVER_VARIABLE = 'LLDB_DEBUGSERVER_PATH'
const LSB_RELEASE = ['/bin/lsb_release', '/usr/bin/lsb_release']

const HOOK = `# Written by Switchboard. lldb tells Python to keep no byte code, and compiles its module at each start.
def install():
    import _frozen_importlib_external as external
    import _imp, marshal, os, sys
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.implementation.cache_tag)
    get_code = external.SourceFileLoader.get_code

    def get_kept_code(self, name):
        try:
            source = self.get_filename(name)
            if os.path.exists(external.cache_from_source(source)):
                return get_code(self, name)
            found = os.stat(source)
            stamp = (source, found.st_mtime_ns, found.st_size)
            kept = os.path.join(folder, _imp.source_hash(0, os.fsencode(source)).hex())
        except Exception:
            return get_code(self, name)
        try:
            with open(kept, "rb") as file:
                old, code = marshal.loads(file.read())
            if old == stamp:
                return code
        except Exception:
            pass
        code = get_code(self, name)
        fresh = "%s.%d" % (kept, os.getpid())
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            with open(fresh, "wb") as file:
                file.write(marshal.dumps((stamp, code)))
            os.replace(fresh, kept)
        except Exception:
            try:
                os.remove(fresh)
            except OSError:
                pass
        return code

    external.SourceFileLoader.get_code = get_kept_code

try:
    install()
except Exception:
    pass
`

export async function prepareQuickStart(options: QuickStartOptions): Promise<QuickStart> {
  if (process.platform !== 'linux') return NO_QUICK_START
  const env: Record<string, string> = {}
  for (const prepare of [preparePython, prepareServer]) {
    // A disk that is full, a folder where nothing may be written or run: slower, and nothing else.
    Object.assign(env, await prepare(options).catch(() => ({})))
  }
  const names = Object.keys(env)
  const before = names.flatMap((name): [string, string][] => {
    const value = options.environment[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    env,
    commands: names.length === 0 ? [] : [`settings set target.unset-env-vars ${names.join(' ')}`],
    programEnv: Object.fromEntries(before),
  }
}

async function preparePython(options: QuickStartOptions): Promise<Record<string, string>> {
  const ours = [await keepHook(options).catch(() => undefined), await findLldbModule(options.adapter)]
  const folders = ours.filter((folder) => folder !== undefined && !folder.includes(delimiter))
  if (folders.length === 0) return {}
  const before = options.environment.PYTHONPATH
  return { PYTHONPATH: [...folders, ...(before === undefined || before === '' ? [] : [before])].join(delimiter) }
}

async function keepHook({ folder }: QuickStartOptions): Promise<string | undefined> {
  if (folder === undefined || folder.includes(delimiter)) return undefined
  await keepFile(join(folder, HOOK_NAME), HOOK)
  return folder
}

async function prepareServer({ folder, adapter, environment }: QuickStartOptions): Promise<Record<string, string>> {
  if (folder === undefined || environment[SERVER_VARIABLE] !== undefined) return {}
  if (!LSB_RELEASE.some((path) => existsSync(path))) return {}
  const server = join(dirname(await realpath(adapter)), SERVER_NAME)
  if (!existsSync(server)) return {}
  const script = join(folder, SERVER_NAME)
  const text = `#!/bin/sh\nPATH=${quote(join(folder, 'nothing'))} exec ${quote(server)} "$@"\n`
  await keepFile(script, text)
  // Programs in this folder may be forbidden to run.
  await access(script, constants.X_OK)
  return { [SERVER_VARIABLE]: script }
}

/** Another process of ours may read it at this moment. */
async function keepFile(path: string, text: string): Promise<void> {
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== text) await writeFileAtomically(path, text, { mode: 0o700, createFolder: true })
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
