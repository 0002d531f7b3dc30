/** What `init` would do on this machine. Looks, and changes nothing. */
import { dirname } from 'node:path'
import { readJsonText } from '@switchboard/config/text'
import { addServer, type EditOptions } from '@switchboard/daemon/configuration'
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { leadsToSwitchboard } from '@switchboard/protocol/naming'
import { createClientEntry, ENTRY_NAME } from '../clients/client-entry.ts'
import {
  type ClientId,
  type ClientPlaces,
  listClientPlaces,
  type Machine,
  type ServerList,
} from '../clients/client-places.ts'
import { findClients } from '../clients/find-clients.ts'
import { type ListEntry, readList } from '../clients/list/edit-list.ts'
import { findBarrier } from '../clients/list/find-barrier.ts'
import { findExtended } from '../doctor/static/find-extended.ts'
import { readStaticEntries } from '../doctor/static/read-static-entries.ts'
import type { StaticEntry, UnreadableFile } from '../doctor/static/static-entry.ts'
import { type ChosenServer, chooseServers, type LeftEntry } from './choose-servers.ts'
import { type FileChange, planFileChange } from './file-change.ts'
import { planOwnFile } from './plan-own-file.ts'
import { useVariables, type VariableNeed } from './use-variables.ts'

export interface InitOptions {
  readonly machine: Machine
  readonly cwd: string
  /** The absolute command line that starts the front. */
  readonly run: readonly string[]
  /** Where Switchboard listens: an entry with this address leads to it. */
  readonly port: number
  readonly configFile: string
  /** Undefined: there is none yet. */
  readonly configText: string | undefined
  /** Only these; empty: all that are found. */
  readonly clients: readonly ClientId[]
  /** Servers that the person leaves where they are. */
  readonly skip: readonly string[]
  /** The servers of this folder's projects as well, with the person's consent. */
  readonly isProjectTaken: boolean
  readonly isRemoteTaken: boolean
  /** Secrets become references to variables. */
  readonly usesVariables: boolean
}

/**
 * `entry`: it gets one. `extension`: VS Code has ours, which registers it. `connected`: it has a way already. `none`: it cannot be
 * connected by a file; why is in `note`.
 */
export interface PlannedClient {
  readonly id: ClientId
  readonly name: string
  readonly sign: string
  readonly way: 'entry' | 'extension' | 'connected' | 'none'
  readonly note?: string
}

export interface InitPlan {
  readonly clients: readonly PlannedClient[]
  readonly servers: readonly ChosenServer[]
  readonly left: readonly LeftEntry[]
  readonly unreadable: readonly UnreadableFile[]
  /** Servers of projects that are left out for want of consent. */
  readonly waiting: readonly StaticEntry[]
  readonly variables: readonly VariableNeed[]
  /** Our own configuration first. */
  readonly changes: readonly FileChange[]
}

export async function planInit(options: InitOptions): Promise<InitPlan> {
  const { machine, cwd, run } = options
  const places = listClientPlaces(machine)
  // The address is of no matter here; with one, VS Code is found as well.
  const found = findClients({ ...machine, run, url: 'http://127.0.0.1/mcp' }).filter(
    ({ id }) => options.clients.length === 0 || options.clients.includes(id),
  )
  const ids = new Set(found.map(({ id }) => id))
  const extended = await findExtended(machine)
  const { entries, unreadable } = await readStaticEntries(
    machine,
    cwd,
    places.filter(({ id }) => ids.has(id)),
  )
  const isOurs = (entry: StaticEntry): boolean => leadsToSwitchboard(entry, options.port)
  const { meant, waiting } = divide(
    entries.filter((entry) => !isOurs(entry)),
    options,
  )
  const configured = readConfigured(options.configText)
  const choice = chooseServers(meant, {
    userHome: machine.home,
    isRemoteTaken: options.isRemoteTaken,
    skip: options.skip,
    configured,
    check: (name, input) => checkServer(name, input, options),
  })
  const { servers, variables } = options.usesVariables ? useVariables(choice.servers) : { ...choice, variables: [] }
  const clients: PlannedClient[] = []
  const changes: FileChange[] = []
  const broken = new Set(unreadable.map(({ file }) => file))
  for (const { id, name, sign } of found) {
    const client = places.find((one) => one.id === id)
    if (client === undefined) continue
    const isVsCode = client.extensions !== undefined
    const isConnected = entries.some((entry) => entry.client === id && entry.project === undefined && isOurs(entry))
    const way = isVsCode ? (extended.has(id) ? 'extension' : 'none') : isConnected ? 'connected' : 'entry'
    const planned =
      way === 'none' ? { problem: WITHOUT_EXTENSION } : await planClient(client, way, servers, broken, options)
    if ('problem' in planned) clients.push({ id, name, sign, way: 'none', note: planned.problem })
    else {
      clients.push({ id, name, sign, way, ...(planned.notes.length === 0 ? {} : { note: planned.notes.join('; ') }) })
      changes.push(...planned.changes)
    }
  }
  const own = await planOwnFile(
    servers.filter(({ isNew }) => isNew),
    editOptionsOf(options),
    options.configText,
  )
  return { clients, servers, left: choice.left, unreadable, waiting, variables, changes: [...own, ...changes] }
}

const WITHOUT_EXTENSION =
  'it is connected by the extension, never by a file: install it (docs/vscode.md), then run init again; until then its servers stay in it too'

/** A project's entries are taken for this folder's projects, and with consent. */
function divide(
  entries: readonly StaticEntry[],
  { cwd, isProjectTaken }: InitOptions,
): { meant: StaticEntry[]; waiting: StaticEntry[] } {
  const here = entries.filter(({ project }) => project === undefined || isAbove(project, cwd))
  const isMeant = ({ project }: StaticEntry): boolean => project === undefined || isProjectTaken
  return { meant: here.filter(isMeant), waiting: here.filter((entry) => !isMeant(entry)) }
}

function isAbove(folder: string, cwd: string): boolean {
  return folder === cwd || (dirname(cwd) !== cwd && isAbove(folder, dirname(cwd)))
}

interface ClientChanges {
  readonly changes: readonly FileChange[]
  readonly notes: readonly string[]
}

/** The files of one client: what was taken goes, and the one entry comes into the main one. */
async function planClient(
  { id, user: [main] }: ClientPlaces,
  way: PlannedClient['way'],
  servers: readonly ChosenServer[],
  broken: ReadonlySet<string>,
  options: InitOptions,
): Promise<ClientChanges | { problem: string }> {
  if (main === undefined) return { problem: 'it has no file' }
  if (way === 'entry' && broken.has(main.file)) return { problem: 'its file is not understood' }
  const taken = servers.flatMap(({ from }) => from.filter(({ client }) => client === id))
  const files = Map.groupBy(taken, ({ file }) => file)
  const added: ListEntry = { path: [...main.path, ENTRY_NAME], value: createClientEntry(id, options.run) }
  if (way === 'entry' && !files.has(main.file)) files.set(main.file, [])
  const changes: FileChange[] = []
  const notes: string[] = []
  // The file with the entry first: without it nothing is taken out of the others.
  const order = [...files].sort(([one], [other]) => Number(other === main.file) - Number(one === main.file))
  for (const [file, entries] of order) {
    const change = await planFileChange({
      file,
      root: entries[0]?.root,
      format: entries[0]?.format ?? main.format,
      removed: entries.map(({ path, source }) => ({ path, value: source })),
      added: way === 'entry' && file === main.file ? [added] : [],
    })
    if (!('problem' in change)) {
      const barrier = change.added.length === 0 ? undefined : await findBarrierIn(change.after, main)
      if (barrier !== undefined) {
        const why = `its "${barrier}" would not let "${ENTRY_NAME}" be started: change that list, then run init again`
        return { problem: `${file} is left alone: ${why}` }
      }
      changes.push(change)
    } else if (way === 'entry' && file === main.file) return { problem: `${file} is left alone: ${change.problem}` }
    else notes.push(`${file} is left alone: ${change.problem}`)
  }
  return { changes, notes }
}

async function findBarrierIn(text: string, list: ServerList): Promise<string | undefined> {
  const reading = await readList(text, list.format)
  return reading.problem === undefined ? findBarrier(reading.value, list, ENTRY_NAME) : undefined
}

function editOptionsOf({ configFile }: InitOptions): EditOptions & { file: string } {
  return { file: configFile, baseDirectory: dirname(configFile) }
}

function readConfigured(text: string | undefined): Map<string, ServerInput> {
  const reading = text === undefined || text.trim() === '' ? undefined : readJsonText(text)
  const value = reading?.problem === undefined ? reading?.value : undefined
  const servers = isJsonObject(value) && isJsonObject(value.mcpServers) ? value.mcpServers : {}
  // Only compared; what is wrong in it is told by whoever runs it.
  return new Map(Object.entries(servers).filter(([, entry]) => isJsonObject(entry)) as [string, ServerInput][])
}

/** Undefined: our configuration takes it. */
function checkServer(name: string, input: ServerInput, options: InitOptions): string | undefined {
  try {
    addServer(undefined, name, input, editOptionsOf(options))
    return undefined
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error
    return `Switchboard would not take it: ${error.message.split('\n')[0]?.replace(/^.*?:\d+:\d+:? ?/, '')}`
  }
}
