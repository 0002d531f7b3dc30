/**
 * Where lldb's Python module lies, by which it shows strings, vectors and maps. lldb works that out from the folder of its
 * library, and Debian's lldb 14 comes to one that is not there (`lldb-14 -P` says /usr/lib/local/lib/python3.11/…): it then
 * tells wrong values and prints Python's tracebacks. Python looks into the folder that lldb names first all the same, so one
 * more harms no lldb that knows its own.
 */
import { existsSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder to add to PYTHONPATH: below the prefix of the adapter, of the newest Python that the module is there for. */
export async function findLldbModule(adapter: string): Promise<string | undefined> {
  const libraries = join(dirname(dirname(await realpath(adapter))), 'lib')
  const pythons = (await readdir(libraries).catch(() => []))
    .flatMap((name) => {
      const minor = /^python3(?:\.(\d+))?$/.exec(name)
      return minor === null ? [] : [{ name, minor: Number(minor[1] ?? 0) }]
    })
    .sort((one, other) => other.minor - one.minor)
  return pythons
    .flatMap(({ name }) => ['site-packages', 'dist-packages'].map((packages) => join(libraries, name, packages)))
    .find((folder) => existsSync(join(folder, 'lldb', '__init__.py')))
}
