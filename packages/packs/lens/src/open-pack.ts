/** The lens pack as a provider. */
import { createPack, type PackContext, type PackInstance, type PackServices } from '@switchboard/toolkit'
import { createCodeIndex } from './code-index.ts'
import type { Config } from './config.ts'
import { createFileWork } from './file-work.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import type { Host } from './host.ts'
import { LensIndex } from './lens-index.ts'
import { createPersonCommands } from './people/person-commands.ts'
import { Playsets } from './playset/playsets.ts'
import { Workspaces } from './workspaces.ts'

export interface OpenPackOptions {
  /** For tests: an author's mistake is thrown. */
  readonly strict?: boolean
}

export function openPack(
  { log, clock, services, folders, store }: PackContext<PackServices>,
  config: Config,
  { strict = false }: OpenPackOptions = {},
): PackInstance {
  const { threads, maxFileSize, maxFiles } = config
  const index = new LensIndex({ folder: folders.cache, limits: { parsers: threads, maxFileSize, maxFiles }, log })
  const workspaces = new Workspaces(index, config, clock)
  const playsets = new Playsets({ index, workspaces, store, clock })
  const host: Host = { clock, config, services, index, workspaces, playsets }
  const provider = createPack<Host>({
    name: 'lens',
    manifest,
    tools,
    host,
    log,
    clock,
    strict,
    // Every agent pays for the list.
    outputSchemas: false,
    details: () => describeState(index),
  })
  return {
    provider,
    work: createFileWork(index),
    codeIndex: createCodeIndex(host),
    commands: createPersonCommands(host),
    start: () => void index.refresh(),
    release: (owner) => {
      playsets.release(owner)
      provider.release(owner)
    },
    close: () => index.close(),
  }
}

/** What `switchboard status` tells. */
function describeState({ state }: LensIndex) {
  return state === undefined ? {} : { generation: state.generation, waiting: state.queue.pending + state.queue.running }
}
