/** What a project would run, and what of it a person lets in, as whoever runs the servers answers. */
import type { ProjectReport } from '@switchboard/daemon/client'
import type { JsonObject } from '@switchboard/protocol'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandContext } from '../context/command-context.ts'

export interface TrustedProject {
  readonly folder: string
  readonly trustedAt: string
  readonly servers: readonly { readonly name: string; readonly shown: readonly string[] }[]
}

export interface ProjectLink {
  show(folder: string): Promise<ProjectReport>
  accept(folder: string, mark: string): Promise<{ accepted: readonly string[]; project: ProjectReport }>
  revoke(folder: string): Promise<{ folder: string; revoked: boolean }>
  list(): Promise<readonly TrustedProject[]>
}

export function askProject<T>(context: CommandContext, use: (project: ProjectLink) => Promise<T>): Promise<T> {
  return runWithBackend(context, { isSilent: true }, (backend) => {
    const ask = <Answer>(command: string, params: JsonObject = {}): Promise<Answer> =>
      // The shapes are those of `project-commands.ts`.
      backend.runCommand('project', command, params) as Promise<Answer>
    return use({
      show: async (folder) => (await ask<{ project: ProjectReport }>('show', { folder })).project,
      accept: (folder, mark) => ask('accept', { folder, mark }),
      revoke: (folder) => ask('revoke', { folder }),
      list: async () => (await ask<{ projects: readonly TrustedProject[] }>('list')).projects,
    })
  })
}

/** No name of a server begins so. */
export function isFolder(word: string): boolean {
  return /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(word)
}
