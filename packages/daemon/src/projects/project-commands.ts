/** What a person may ask of projects, at a terminal or in an editor: `switchboard trust`. */

import { isAbsolute } from 'node:path'
import { readOptionalText, readText } from '@switchboard/config/arguments'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PersonCommands } from '../packs/person-commands.ts'
import { digestEntry } from './entry-digest.ts'
import { findProject, type OwnFolders } from './find-project.ts'
import { listWaiting, markOf, reportProject } from './project-report.ts'
import type { ProjectTrust, TrustedServer } from './project-trust.ts'
import type { ProjectsOptions } from './projects.ts'
import { type ProjectReading, pinVariables, readProject } from './read-project.ts'

export interface ProjectCommandsOptions extends Pick<ProjectsOptions, 'variables' | 'config'> {
  readonly own: OwnFolders
  readonly trust: ProjectTrust
  /** What was accepted or taken back holds when this resolves. */
  look(): Promise<void>
}

export function createProjectCommands(options: ProjectCommandsOptions): PersonCommands {
  const { own, trust, variables, config, look } = options
  const read = async (folder: string): Promise<ProjectReading> => {
    const [trusted, env] = await Promise.all([trust.read(folder), variables()])
    return readProject(folder, { own, env, config: config(), trusted })
  }
  return {
    /** What the project of a folder would run. */
    show: async (params, { workspace }) => {
      const folder = findFolder(readOptionalText(params, 'folder', 'show') ?? workspace, own)
      return { project: reportProject(await read(folder), 0), trusted: (await trust.read(folder)) !== undefined }
    },
    /** `mark`: of what was shown. What is something else by now is not accepted. */
    accept: async (params, { workspace }) => {
      const folder = findFolder(readOptionalText(params, 'folder', 'accept') ?? workspace, own)
      const mark = readText(params, 'mark', 'accept')
      const reading = await read(folder)
      if (markOf(reading) !== mark) {
        throw new SwitchboardError(
          'invalid_arguments',
          'The project is another than the one that was shown: nothing was accepted.',
          {
            hint: 'Look at it again.',
          },
        )
      }
      const accepted = await acceptAll(reading, options)
      await look()
      return { accepted, project: reportProject(await read(folder), 0) }
    },
    revoke: async (params, { workspace }) => {
      const asked = readOptionalText(params, 'folder', 'revoke') ?? workspace
      // A folder that is gone can be taken back as well.
      const known = (await trust.list()).map(({ folder }) => folder)
      const folder = known.includes(asked) ? asked : findFolder(asked, own)
      const isRevoked = await trust.delete(folder)
      await look()
      return { folder, revoked: isRevoked }
    },
    list: async () => ({
      projects: (await trust.list()).map(({ folder, trustedAt, servers }) => ({
        folder,
        trustedAt,
        servers: [...servers].map(([name, { shown }]) => ({ name, shown })),
      })),
    }),
  }
}

async function acceptAll(
  reading: ProjectReading,
  { trust, variables }: ProjectCommandsOptions,
): Promise<readonly string[]> {
  const { folder } = reading
  const before = await trust.read(folder)
  const env = await variables()
  const waiting = listWaiting(reading)
  const fresh = waiting.map(({ name, entry, shown }): [string, TrustedServer] => {
    // Only now, when it is wanted, is its file of variables opened.
    const pin = pinVariables(entry, folder, env)
    return [name, { digest: digestEntry(entry), shown, ...(pin === undefined ? {} : { variables: pin }) }]
  })
  if (fresh.length === 0) return []
  // What the project no longer names is not trusted any more: somebody may name it again.
  const named = new Set(reading.servers.map(({ name }) => name))
  const kept = [...(before?.servers ?? [])].filter(([name]) => named.has(name))
  await trust.write({ folder, trustedAt: new Date().toISOString(), servers: new Map([...kept, ...fresh]) })
  return waiting.map(({ name }) => name)
}

function findFolder(asked: string, own: OwnFolders): string {
  const found = isAbsolute(asked) ? findProject(asked, own) : undefined
  if (found !== undefined) return found.folder
  throw new SwitchboardError('invalid_arguments', `${asked} is no folder of a project.`, {
    hint: 'Name the folder that holds .mcp.json or .switchboard/config.json. A home folder is none: put its servers into your own configuration.',
  })
}
