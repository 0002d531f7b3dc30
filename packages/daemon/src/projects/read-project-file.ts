/**
 * A file of a project as it lies there, before anything in it is believed: which servers it names, each as it is written. No
 * variable is looked up and no other file is opened.
 */
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, errorMessage, ForeignFileError, readForeignBytes } from '@switchboard/base'
import { NAME_EXPECTED, NAME_PATTERN } from '@switchboard/config'
import { readJsonText } from '@switchboard/config/text'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { ProjectFileName } from './find-project.ts'

export type ProjectFileReading =
  | { readonly kind: 'missing' }
  /** `unsafe`: it may be somebody else's who writes it. `wrong`: whoever just edits it may be about to set it right. */
  | { readonly kind: 'unsafe' | 'wrong'; readonly problem: string }
  | { readonly kind: 'read'; readonly servers: ReadonlyMap<string, JsonObject>; readonly problems: readonly string[] }

const MAX_BYTES = 1024 * 1024
const MAX_SERVERS = 100
const NAME = new RegExp(NAME_PATTERN, 'u')
const WRITTEN_BY_ALL = 0o002
const WRITTEN_BY_GROUP = 0o020

/** Why a project may not say it. */
const REFUSED: Readonly<Record<string, string>> = {
  gateway: 'who may call is for your own configuration to say',
  daemon: 'how the daemon runs is for your own configuration to say',
  packs: 'packs serve all projects: your own configuration sets them',
  modes: 'what a mode allows is for your own configuration to say',
  profiles: 'what a profile shows is for your own configuration to say',
  queues: 'queues are shared by all servers: your own configuration sets them',
  presets: 'presets are for your own configuration',
  presetRoot: 'presets are for your own configuration',
  definitions: 'what becomes of changed tools is for your own configuration to say',
  startParallelism: 'it holds for all servers: your own configuration sets it',
}

/** `folder`: of the project, without links. */
export async function readProjectFile(folder: string, name: ProjectFileName): Promise<ProjectFileReading> {
  const path = join(folder, name)
  try {
    const bytes = await readForeignBytes(path, { maxBytes: MAX_BYTES, root: folder })
    const owner = await findForeignHand([...new Set([folder, dirname(path), path])])
    if (owner !== undefined) return { kind: 'unsafe', problem: owner }
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), name)
  } catch (error) {
    if (error instanceof ForeignFileError) {
      // A link that leads nowhere is missing for good; one that is just replaced comes back.
      if (error.problem === 'missing') return { kind: 'missing' }
      return { kind: 'unsafe', problem: error.reason }
    }
    if (errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { kind: 'wrong', problem: 'is not UTF-8 text' }
    return { kind: 'unsafe', problem: errorMessage(error) }
  }
}

function parse(text: string, file: ProjectFileName): ProjectFileReading {
  const reading = readJsonText(text)
  if (reading.problem !== undefined) return { kind: 'wrong', problem: `line ${reading.line}: ${reading.problem}` }
  const { value } = reading
  if (!isJsonObject(value)) return { kind: 'wrong', problem: 'holds no object' }
  const { mcpServers = {} } = value
  if (!isJsonObject(mcpServers)) return { kind: 'wrong', problem: '"mcpServers" is no object of servers' }
  const problems = file === '.mcp.json' ? [] : listRefused(value)
  const servers = new Map<string, JsonObject>()
  for (const [name, entry] of Object.entries(mcpServers)) {
    if (servers.size >= MAX_SERVERS) {
      problems.push(`more than ${MAX_SERVERS} servers: the rest is left out`)
      break
    }
    if (!NAME.test(name))
      problems.push(`the name ${JSON.stringify(name.slice(0, 80))} is left out: expected ${NAME_EXPECTED}`)
    else if (!isJsonObject(entry)) problems.push(`"${name}" is left out: it is no object`)
    else servers.set(name, entry)
  }
  return { kind: 'read', servers, problems }
}

/** Of another client's file the rest is that client's. */
function listRefused(value: JsonObject): string[] {
  return Object.keys(value)
    .filter((key) => key !== 'mcpServers' && key !== '$schema')
    .map((key) => `"${key.slice(0, 80)}" is not read: ${REFUSED[key] ?? 'a project may set "mcpServers" only'}`)
}

/** Who else could decide what runs; as git does, what belongs to somebody else is not trusted. Windows tells none of it. */
async function findForeignHand(paths: readonly string[]): Promise<string | undefined> {
  const [user, group] = [process.getuid?.(), process.getgid?.()]
  if (user === undefined) return undefined
  for (const path of paths) {
    const { uid, gid, mode } = await stat(path)
    // Root may do everything anyway.
    if (uid !== user && uid !== 0) return `${path} belongs to another user (uid ${uid})`
    const isWritten = (mode & WRITTEN_BY_ALL) !== 0 || ((mode & WRITTEN_BY_GROUP) !== 0 && gid !== group)
    if (isWritten)
      return `others may write ${path} (mode ${(mode & 0o777).toString(8)}): take that right away with chmod go-w`
  }
  return undefined
}
