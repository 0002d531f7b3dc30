/**
 * The Python program that loads debugpy into a process and then runs the person's program, as `python -m debugpy
 * --connect` does, only sooner: most of the time of a start is spent on modules that no debugger over DAP uses, and on a
 * sleep. Everything that it changes is optional: where a version of debugpy is different, it loads as usual.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** debugpy leaves frames of a file with this name out of every stack. */
const FILE_NAME = 'debugpy_launcher.py'

/** Its arguments: a folder with debugpy for those who have none, a folder for compiled modules, then debugpy's own. */
const SOURCE = `import os, sys

# Our own folder: a program has to find its modules, not us.
del sys.path[0]
folder, compiled = sys.argv[1:3]
del sys.argv[1:3]

# Imported by the debugger for consoles that speak XML-RPC, and for packages of plugins. The last is asked for
# within a try, with something lighter in its place.
UNUSED = ("xmlrpc", "xmlrpc.client", "xmlrpc.server", "http", "http.server", "pkg_resources")


class Placeholder(type(sys)):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def load():
    import debugpy.server
    from debugpy.server import cli

    return cli


def load_light():
    held = [name for name in UNUSED if name not in sys.modules]
    try:
        for name in held:
            sys.modules[name] = None if name == "pkg_resources" else Placeholder(name)
            package, _, child = name.rpartition(".")
            if package in held:
                setattr(sys.modules[package], child, sys.modules[name])
        return load()
    finally:
        # The program gets the real ones.
        for name in held:
            sys.modules.pop(name, None)


def is_of_debugger(name):
    return name.startswith(("debugpy", "pydev", "_pydev"))


def load_any():
    try:
        return load_light()
    except Exception:
        for name in [name for name in sys.modules if is_of_debugger(name)]:
            del sys.modules[name]
        return load()


# One that was installed without being compiled, where nothing can or may be written, is compiled anew at each start. That
# takes a second.
def is_compiled():
    name = "pydevd.%s.pyc" % sys.implementation.cache_tag
    for place in sys.path:
        home = os.path.join(place, "debugpy", "_vendored", "pydevd")
        if os.path.isdir(home):
            return os.path.exists(os.path.join(home, "__pycache__", name))
    return True


def load_compiled():
    if not compiled or sys.pycache_prefix or is_compiled():
        return load_any()
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = compiled, False
    try:
        return load_any()
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = before


def hurry():
    import pydevd
    from debugpy.common import log

    # Sleeps a tenth of a second "to give threads time to start", after they have started.
    initialize = pydevd.PyDB.initialize_network
    time = pydevd.time

    class Time:
        def __getattr__(self, name):
            return getattr(time, name)

        def sleep(self, seconds):
            pass

    def initialize_network(self, *rest, **named):
        pydevd.time = Time()
        try:
            return initialize(self, *rest, **named)
        finally:
            pydevd.time = time

    # Looks every tenth of a second whether it may run.
    def wait_for_ready_to_run(self):
        while not self.ready_to_run:
            self.process_internal_commands()
            time.sleep(0.002)

    pydevd.PyDB.wait_for_ready_to_run = wait_for_ready_to_run
    pydevd.PyDB.initialize_network = initialize_network
    if log.log_dir is None:
        # Collected for a log file that nobody asked for.
        log.describe_environment = lambda header: None


def start():
    if folder:
        sys.path.append(folder)
    try:
        cli = load_compiled()
    finally:
        if folder:
            sys.path.remove(folder)
    try:
        hurry()
    except Exception:
        pass
    return cli


start().main()
`

/** The path of the program in a folder of ours; written when it is not there yet. */
export async function ensureBoot(folder: string): Promise<string> {
  const home = join(folder, `python-boot-${createHash('sha256').update(SOURCE).digest('hex').slice(0, 16)}`)
  const path = join(home, FILE_NAME)
  if (existsSync(path)) return path
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = await mkdtemp(join(folder, 'new-'))
  try {
    await writeFile(join(fresh, FILE_NAME), SOURCE)
    await rename(fresh, home)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster, with the same text.
    if (!existsSync(path)) throw error
  }
  return path
}
