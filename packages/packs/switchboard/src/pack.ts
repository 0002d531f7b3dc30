import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import { definePack } from '@switchboard/toolkit'
import { manifest } from './generated/manifest.ts'
import type { SwitchboardServices } from './services.ts'

/** Always there: the way to a mode, and to why something else is not there, must not be switched off. So it has no key. */
export const pack = definePack<typeof OWN_PROVIDER, undefined, SwitchboardServices>({
  name: OWN_PROVIDER,
  summary: 'What Switchboard itself can tell: the state of the servers, the logs, and the mode of a session.',
  tools: manifest.tools,
  guides: manifest.guides,
  async create({ log, clock, services }) {
    const { createSwitchboardPack } = await import('./create-switchboard-pack.ts')
    return createSwitchboardPack({ log, clock, services })
  },
})
