/** Switchboard's own tools as a provider. What is listed follows the modes that are configured. */
import type { Clock } from '@switchboard/base'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { Logger } from '@switchboard/telemetry'
import { createPack, type PackInstance } from '@switchboard/toolkit'
import { createListing } from './create-listing.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import type { SwitchboardHost, SwitchboardServices } from './services.ts'

export interface SwitchboardPackOptions {
  readonly log: Logger
  readonly services: SwitchboardServices
  readonly clock?: Clock
  /** For tests: an author's mistake is thrown. */
  readonly strict?: boolean
}

/** About 25,000 tokens: what logs are cut to by themselves. Longer rules of a mode are stored, and read as a resource. */
const MAX_BYTES = 112_000

export function createSwitchboardPack({ services, ...options }: SwitchboardPackOptions): PackInstance {
  const provider = createPack<SwitchboardHost>({
    name: OWN_PROVIDER,
    manifest,
    tools,
    host: { services },
    // Those of modes come and go: a name must not change hands with them.
    naming: { prefix: false, reserves: manifest.tools.map((tool) => tool.name) },
    listing: createListing(services),
    maxBytes: MAX_BYTES,
    // Every agent pays for the list.
    outputSchemas: false,
    ...options,
  })
  const watching = services.modes?.onDidReconfigure(() => provider.relist(createListing(services)))
  return {
    provider,
    release: (owner) => provider.release(owner),
    close: async () => watching?.dispose(),
  }
}
