/**
 * A project as it is now: what its files name, what of it is trusted, and what of that can run. The one judge, for the daemon and
 * for a person at a terminal.
 *
 * 1. Of a server that is not trusted nothing is started, and no file that it names is opened.
 * 2. Trusted is an entry as it was shown (its hash), in that folder, with the variables that its file sets.
 * 3. A server of the person's own is never replaced: what is the same runs as that one, what is not is told apart by its names.
 */
import { basename, join } from 'node:path'
import { ForeignFileError, readForeignText } from '@switchboard/base'
import type { Environment } from '@switchboard/config'
import { MAX_NAMED_BYTES } from '@switchboard/config/file'
import { readEnvText } from '@switchboard/config/text'
import { checkPoolConfig, type ServerConfig } from '@switchboard/pool'
import {
  type MisconfiguredServer,
  pickMeant,
  readStarted,
  translateEntry,
  UntranslatableError,
} from '@switchboard/pool/config'
import type { JsonObject } from '@switchboard/protocol'
import { createShortHash, leadsToSwitchboard, OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { digestEntry, digestVariables } from './entry-digest.ts'
import { createProjectId, isOwnFile, type OwnFolders, PROJECT_FILES, type ProjectFileName } from './find-project.ts'
import type { ProjectRecord, TrustedServer } from './project-trust.ts'
import { type ProjectFileReading, readProjectFile } from './read-project-file.ts'
import { showEntry } from './show-entry.ts'

/** `yours`: the person's own server is the same, and serves. */
export type ProjectServerState = 'trusted' | 'new' | 'changed' | 'yours'

export interface ProjectServer {
  /** As the project writes it. */
  readonly name: string
  readonly file: ProjectFileName
  readonly state: ProjectServerState
  /** What would run, secrets masked. */
  readonly shown: readonly string[]
  /** What was let in, where that was something else. */
  readonly before?: readonly string[]
  readonly entry: JsonObject
}

export interface ProjectReading {
  readonly folder: string
  readonly id: string
  readonly servers: readonly ProjectServer[]
  /** What is wrong, a sentence each, without the folder. */
  readonly problems: readonly string[]
  /** Under names that no other place has. */
  readonly runs: readonly ServerConfig[]
  readonly misconfigured: readonly MisconfiguredServer[]
  /** Files of variables that trusted servers name. */
  readonly named: readonly string[]
  /** What the files said, for as long as somebody is editing one. */
  readonly files: ReadonlyMap<ProjectFileName, ProjectFileReading>
}

export interface ReadProjectOptions {
  readonly own: OwnFolders
  readonly env: Environment
  /** The person's own configuration. */
  readonly config: Pick<SwitchboardConfig, 'servers' | 'misconfigured' | 'gateway'>
  readonly trusted: ProjectRecord | undefined
  /** What the files said last, when it was right. */
  readonly last?: ProjectReading['files']
}

interface Named {
  readonly name: string
  readonly file: ProjectFileName
  /** As it is pinned: as it is written, without what means nothing here. */
  readonly entry: JsonObject
  /** As it runs. */
  readonly input: JsonObject
  /** Why it cannot run without its client. */
  readonly foreign?: string | undefined
}

export async function readProject(folder: string, options: ReadProjectOptions): Promise<ProjectReading> {
  const id = createProjectId(folder)
  const { files, problems } = await readFiles(folder, options)
  const listed = listServers(files, options, problems)
  const servers: ProjectServer[] = []
  const runs: ServerConfig[] = []
  const misconfigured: MisconfiguredServer[] = []
  const named: string[] = []
  for (const server of listed) {
    const { name, file, entry, input } = server
    const shown = showEntry(input)
    const record = options.trusted?.servers.get(name)
    const add = (state: ProjectServerState): void => {
      const before = state === 'changed' && record !== undefined ? { before: record.shown } : {}
      servers.push({ name, file, state, shown, entry, ...before })
    }
    if (isYours(server, folder, options)) add('yours')
    else if (record === undefined) add('new')
    else if (record.digest !== digestEntry(entry)) add('changed')
    else {
      const checked = checkTrusted(server, folder, record, options)
      named.push(...checked.named)
      add(checked.isChanged ? 'changed' : 'trusted')
      if (checked.isChanged) problems.push(`${name}: its file of variables is another than when it was trusted`)
      else if (checked.server !== undefined) runs.push(placeServer(checked.server, id, folder, options))
      else if (checked.wrong !== undefined) misconfigured.push({ ...checked.wrong, name: placeName(name, id) })
    }
  }
  return { folder, id, servers, problems, runs, misconfigured, named, files }
}

/** The hash of what the file of variables of an entry sets; undefined: it names none; null: there is none. */
export function pinVariables(entry: JsonObject, folder: string, env: Environment): string | null | undefined {
  if (entry.envFile === undefined) return undefined
  let pin: string | null = null
  check('pinned', entry, '.mcp.json', folder, { ...env, CLAUDE_PROJECT_DIR: folder }, (text) => {
    pin = digestVariables(readEnvText(text).values)
  })
  return pin
}

export function placeName(name: string, id: string): string {
  return `${name}@${id}`
}

/** The id of the project whose server it is. No server of a person's own is named so. */
export function placeOfProvider(provider: string): string | undefined {
  const at = provider.lastIndexOf('@')
  return at < 0 ? undefined : provider.slice(at + 1)
}

async function readFiles(
  folder: string,
  { own, last }: ReadProjectOptions,
): Promise<{ files: Map<ProjectFileName, ProjectFileReading>; problems: string[] }> {
  const files = new Map<ProjectFileName, ProjectFileReading>()
  const problems: string[] = []
  for (const name of PROJECT_FILES) {
    if (isOwnFile(join(folder, name), own)) continue
    const reading = await readProjectFile(folder, name)
    if (reading.kind === 'missing') continue
    const before = last?.get(name)
    const isKept = reading.kind === 'wrong' && before?.kind === 'read'
    files.set(name, isKept ? before : reading)
    if (reading.kind !== 'read') {
      problems.push(`${name}: ${reading.problem}${isKept ? '; what it said before goes on' : ''}`)
    } else problems.push(...reading.problems.map((problem) => `${name}: ${problem}`))
  }
  return { files, problems }
}

function listServers(
  files: ReadonlyMap<ProjectFileName, ProjectFileReading>,
  options: ReadProjectOptions,
  problems: string[],
): readonly Named[] {
  const { config } = options
  const listed = new Map<string, Named>()
  for (const [file, reading] of files) {
    if (reading.kind !== 'read') continue
    for (const [name, written] of reading.servers) {
      const entry = file === '.mcp.json' ? pickMeant(written) : written
      if (isOurselves(name, entry, config.gateway.port)) continue
      const earlier = listed.get(name)
      if (earlier === undefined) listed.set(name, { name, file, entry, ...translate(file, entry, options) })
      else if (digestEntry(earlier.entry) !== digestEntry(entry)) {
        problems.push(`${name}: ${earlier.file} has another one of that name, which counts`)
      }
    }
  }
  return [...listed.values()]
}

/** In our words. Of `.mcp.json` those of Claude Code are understood; our own file has no other than ours. */
function translate(
  file: ProjectFileName,
  entry: JsonObject,
  { own }: ReadProjectOptions,
): Pick<Named, 'input' | 'foreign'> {
  if (file !== '.mcp.json') return { input: entry }
  try {
    const place = { client: 'claude-code', project: undefined, userHome: own.userHome } as const
    return { input: translateEntry(entry, place).input }
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error
    return { input: entry, foreign: error.message }
  }
}

/** An agent finds us by it; to us it means nothing. */
function isOurselves(name: string, entry: JsonObject, port: number): boolean {
  const started = readStarted(entry)
  return name === OWN_PROVIDER || (started !== undefined && leadsToSwitchboard(started, port))
}

/** Whether what would run is what the person has configured anyway. One with a file of variables is not looked at. */
function isYours({ name, input, foreign }: Named, folder: string, { config, env }: ReadProjectOptions): boolean {
  const own = config.servers.find((server) => server.name === name)
  if (own === undefined || !own.enabled || foreign !== undefined || input.envFile !== undefined) return false
  const { server } = check(name, input, '.mcp.json', folder, env)
  return server !== undefined && describeRun(server) === describeRun(own)
}

function describeRun(server: ServerConfig): string {
  return server.type === 'stdio'
    ? JSON.stringify([server.command, server.args, Object.entries(server.env).toSorted(), server.cwd])
    : JSON.stringify([server.url, Object.entries(server.headers).toSorted()])
}

interface Checked {
  readonly server?: ServerConfig | undefined
  readonly wrong?: MisconfiguredServer | undefined
  readonly named: readonly string[]
}

function checkTrusted(
  { name, file, input, foreign }: Named,
  folder: string,
  record: TrustedServer,
  { env }: ReadProjectOptions,
): Checked & { readonly isChanged: boolean } {
  if (foreign !== undefined) {
    const reason = `${basename(file)}: mcpServers.${name}: ${foreign}.`
    return { wrong: { name, problems: [], reason }, named: [], isChanged: false }
  }
  let isChanged = false
  const checked = check(name, input, file, folder, { CLAUDE_PROJECT_DIR: folder, ...env }, (text) => {
    isChanged = record.variables !== digestVariables(readEnvText(text).values)
    if (isChanged) throw new Error('is another than when it was trusted')
  })
  return { ...checked, isChanged }
}

function check(
  name: string,
  entry: JsonObject,
  file: ProjectFileName,
  folder: string,
  env: Environment,
  onVariables: (text: string) => void = () => undefined,
): Checked {
  const named: string[] = []
  const readText = (path: string): string => {
    named.push(path)
    const text = readInside(path, folder)
    onVariables(text)
    return text
  }
  // It is checked as what it was read from: its own shape is what is to be found out.
  const { servers, misconfigured } = checkPoolConfig({ mcpServers: { [name]: entry } } as never, {
    env,
    source: basename(file),
    baseDirectory: folder,
    wrongEntries: 'settle',
    readText,
  })
  const [server] = servers
  if (server?.tools.prefix !== false) return { server, wrong: misconfigured[0], named }
  const reason = `${basename(file)}: mcpServers.${name}.tools.prefix: is false, and what a project names begins with its own name.`
  return { wrong: { name, problems: [], reason }, named }
}

/** A file of variables is the project's: it lies in it, and no link leads out. */
function readInside(path: string, folder: string): string {
  try {
    return readForeignText(path, { maxBytes: MAX_NAMED_BYTES, root: folder })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new Error(error.problem === 'outside' ? 'lies outside of the project' : error.reason, { cause: error })
  }
}

/** It runs in the folder of the project, under a name of its own. */
function placeServer(server: ServerConfig, id: string, folder: string, { config }: ReadProjectOptions): ServerConfig {
  const { prefix } = server.tools
  const isTaken = prefix !== false && config.servers.some(({ tools }) => areRelated(prefix, tools.prefix))
  const placed = {
    name: placeName(server.name, id),
    tools: { ...server.tools, prefix: prefix !== false && isTaken ? tellApart(prefix) : prefix },
  }
  return server.type === 'stdio' ? { ...server, ...placed, cwd: server.cwd ?? folder } : { ...server, ...placed }
}

/** Whether a name under one could be taken for a name under the other. */
function areRelated(one: string, other: string | false): boolean {
  return other === false || one === other || one.startsWith(`${other}_`) || other.startsWith(`${one}_`)
}

const LONGEST_PREFIX = 32

function tellApart(prefix: string): string {
  const apart = `project_${prefix}`
  return apart.length <= LONGEST_PREFIX ? apart : `${apart.slice(0, LONGEST_PREFIX - 9)}_${createShortHash(prefix)}`
}
