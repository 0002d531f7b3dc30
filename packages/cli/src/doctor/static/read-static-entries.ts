/** Reads the servers that clients have in files of their own: for all projects, and of the folders from here upwards. */
import { ForeignFileError, readForeignBytes } from '@switchboard/base'
import { readJsonText } from '@switchboard/config/text'
import { readStarted } from '@switchboard/pool/config'
import { isJsonObject } from '@switchboard/protocol'
import {
  type ClientPlaces,
  listClientPlaces,
  type Machine,
  pathOf,
  type ServerList,
} from '../../clients/client-places.ts'
import { findBarrier } from '../../clients/list/find-barrier.ts'
import { readTomlServers } from './read-toml-servers.ts'
import type { StaticEntry, UnreadableFile } from './static-entry.ts'

export interface StaticEntries {
  readonly entries: readonly StaticEntry[]
  readonly unreadable: readonly UnreadableFile[]
}

/** Far more than any list of servers; what is larger is something else. */
export const MAX_BYTES = 64 * 1024 * 1024

/** `clients`: whose files; all that are known, where it is left out. */
export async function readStaticEntries(
  machine: Machine,
  cwd: string,
  clients: readonly ClientPlaces[] = listClientPlaces(machine),
): Promise<StaticEntries> {
  const entries: StaticEntry[] = []
  const unreadable = new Map<string, UnreadableFile>()
  for (const places of clients) {
    for (const { list, project } of listLists(places, machine, cwd)) {
      const text = await readText(list.file, project)
      if (text === undefined) continue
      const problem = typeof text === 'string' ? undefined : text.problem
      const servers = typeof text === 'string' ? await readServers(text, list) : []
      if (typeof servers === 'object' && 'problem' in servers) {
        unreadable.set(list.file, { file: list.file, clientName: places.name, problem: servers.problem })
      } else if (problem !== undefined) {
        unreadable.set(list.file, { file: list.file, clientName: places.name, problem })
      } else {
        for (const { path, value } of servers) {
          const entry = toEntry(places, list, path, value, project)
          if (entry !== undefined) entries.push(entry)
        }
      }
    }
  }
  return { entries, unreadable: [...unreadable.values()] }
}

interface PlacedList {
  readonly list: ServerList
  readonly project: string | undefined
}

function listLists({ user, project }: ClientPlaces, machine: Machine, cwd: string): PlacedList[] {
  const { join } = pathOf(machine)
  const found: PlacedList[] = user.map((list) => ({ list, project: undefined }))
  const known = new Set(user.map(({ file }) => file))
  for (const folder of listFolders(cwd, machine)) {
    for (const list of project) {
      const file = join(folder, list.file)
      // In the home folder a project's file and the one for all may be the same.
      if (!known.has(file)) found.push({ list: { ...list, file }, project: folder })
    }
  }
  return found
}

/** The folder and those above it. */
function listFolders(folder: string, machine: Machine): string[] {
  const parent = pathOf(machine).dirname(folder)
  return parent === folder ? [folder] : [folder, ...listFolders(parent, machine)]
}

/** Undefined: it is not there. A repository's file is read where no link leads out of its folder, a person's own wherever. */
async function readText(file: string, root: string | undefined): Promise<string | { problem: string } | undefined> {
  try {
    return (await readForeignBytes(file, { maxBytes: MAX_BYTES, root })).toString('utf8')
  } catch (thrown) {
    if (!(thrown instanceof ForeignFileError)) throw thrown
    return thrown.problem === 'missing' ? undefined : { problem: `it ${thrown.reason}` }
  }
}

interface FoundServer {
  readonly path: readonly string[]
  readonly value: unknown
}

async function readServers(text: string, list: ServerList): Promise<FoundServer[] | { problem: string }> {
  const { path, format } = list
  if (format === 'toml') return readTomlServers(text, path[0] ?? '')
  if (text.trim() === '') return []
  const reading = readJsonText(text)
  if (reading.problem !== undefined) return { problem: `line ${reading.line}: ${reading.problem}` }
  return collect(reading.value, path, []).flatMap(({ path: at, value }) =>
    isJsonObject(value)
      ? Object.entries(value)
          .filter(([name]) => findBarrier(reading.value, list, name) === undefined)
          .map(([name, server]) => ({ path: [...at, name], value: server }))
      : [],
  )
}

/** The values at a path in which `*` stands for every key. */
function collect(value: unknown, [key, ...rest]: readonly string[], at: readonly string[]): FoundServer[] {
  if (key === undefined) return [{ path: at, value }]
  if (!isJsonObject(value)) return []
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
  return keys.flatMap((own) => collect(value[own], rest, [...at, own]))
}

/** Undefined: what stands there starts nothing. */
function toEntry(
  { id, name: clientName }: ClientPlaces,
  { file, path: pattern, format }: ServerList,
  path: readonly string[],
  value: unknown,
  project: string | undefined,
): StaticEntry | undefined {
  if (!isJsonObject(value) || value.disabled === true || value.enabled === false) return undefined
  const started = readStarted(value)
  if (started === undefined) return undefined
  const star = pattern.indexOf('*')
  return {
    client: id,
    clientName,
    file,
    path,
    name: path.at(-1) ?? '',
    project: project ?? (star === -1 ? undefined : path[star]),
    ...started,
    root: project,
    source: value,
    format,
  }
}
