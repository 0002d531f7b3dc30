/** A project as its files and what is trusted of it say, without whoever runs the servers. */
import type { HomePaths } from '@switchboard/protocol/ipc'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { findProject } from './find-project.ts'
import { type ProjectReport, reportProject } from './project-report.ts'
import { ProjectTrust } from './project-trust.ts'
import { readProject } from './read-project.ts'

export interface ProjectPlace {
  /** In the project. */
  readonly folder: string
  readonly userHome: string
  readonly paths: Pick<HomePaths, 'directory' | 'trust'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: Pick<SwitchboardConfig, 'servers' | 'misconfigured' | 'gateway'>
}

/** Undefined: there is none, or none that names anything. */
export async function lookAtProject({
  folder,
  userHome,
  paths,
  env,
  config,
}: ProjectPlace): Promise<ProjectReport | undefined> {
  const own = { home: paths.directory, userHome }
  const found = findProject(folder, own)
  if (found?.hasFiles !== true) return undefined
  const trusted = await new ProjectTrust(paths.trust).read(found.folder)
  return reportProject(await readProject(found.folder, { own, env, config, trusted }), 0)
}
