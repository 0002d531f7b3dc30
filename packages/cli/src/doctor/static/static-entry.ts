import type { ClientId, ServerList } from '../../clients/client-places.ts'

/** One server in a file of some client. */
export interface StaticEntry {
  readonly client: ClientId
  readonly clientName: string
  readonly file: string
  /** The keys down to it; the last is its name. */
  readonly path: readonly string[]
  readonly name: string
  /** The folder of the project whose entry it is; undefined: it holds for all. */
  readonly project: string | undefined
  readonly command: string | undefined
  readonly args: readonly string[]
  readonly url: string | undefined
  /** The folder of the repository that brought the file: no link leads out of it. Undefined: the file is the person's own. */
  readonly root: string | undefined
  /** As it stands there, to know it again. */
  readonly source: unknown
  readonly format: ServerList['format']
}

export interface UnreadableFile {
  readonly file: string
  readonly clientName: string
  readonly problem: string
}
