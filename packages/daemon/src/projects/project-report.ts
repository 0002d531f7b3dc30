/** What is told of a project: to agents in a line without a word of the repository, to people in full. */
import { createHash } from 'node:crypto'
import { digestEntry } from './entry-digest.ts'
import type { ProjectFileName } from './find-project.ts'
import { type ProjectReading, type ProjectServer, placeName } from './read-project.ts'

export interface ProjectServerReport {
  readonly name: string
  readonly file: ProjectFileName
  readonly state: ProjectServer['state']
  /** As `status` and the logs call it. */
  readonly runsAs: string
  readonly shown: readonly string[]
  readonly before?: readonly string[]
  /** Why it is trusted and does not run. */
  readonly problem?: string
}

export interface ProjectReport {
  readonly folder: string
  readonly id: string
  /** That are in it now. */
  readonly windows: number
  readonly servers: readonly ProjectServerReport[]
  readonly problems: readonly string[]
  /** Of what waits: who accepts it says by this what was shown. */
  readonly mark: string
}

export function isEmptyReading({ servers, problems }: ProjectReading): boolean {
  return servers.length === 0 && problems.length === 0
}

export function listWaiting({ servers }: ProjectReading): ProjectServer[] {
  return servers.filter(({ state }) => state === 'new' || state === 'changed')
}

/** Nothing that the repository says reaches a model before a person has looked at it. */
export function describeForAgents(reading: ProjectReading): string[] {
  const waiting = listWaiting(reading).length
  const servers = waiting === 1 ? '1 MCP server that waits' : `${waiting} MCP servers that wait`
  const [it, is] = waiting === 1 ? ['it does', 'is'] : ['they do', 'are']
  return [
    ...(waiting === 0
      ? []
      : [
          `This project names ${servers} for a person's trust; ${it} not run until then. Only a person can decide it: "switchboard trust" in ${reading.folder} shows what would run, and asks. Go on without what ${is} missing.`,
        ]),
    ...(reading.problems.length === 0
      ? []
      : [
          `Something in the configuration of this project is wrong: "switchboard trust" in ${reading.folder} tells what.`,
        ]),
  ]
}

export function reportProject(reading: ProjectReading, windows: number): ProjectReport {
  const { folder, id, servers, misconfigured, problems } = reading
  const wrong = new Map(misconfigured.map(({ name, reason }) => [name, reason]))
  return {
    folder,
    id,
    windows,
    servers: servers.map(({ name, file, state, shown, before }) => {
      const runsAs = placeName(name, id)
      const problem = wrong.get(runsAs)
      return {
        name,
        file,
        state,
        runsAs,
        shown,
        ...(before === undefined ? {} : { before }),
        ...(problem === undefined ? {} : { problem }),
      }
    }),
    problems,
    mark: markOf(reading),
  }
}

export function markOf(reading: ProjectReading): string {
  const waiting = listWaiting(reading).map(({ name, entry }) => [name, digestEntry(entry)])
  return createHash('sha256')
    .update(JSON.stringify([reading.folder, waiting]))
    .digest('hex')
    .slice(0, 32)
}
