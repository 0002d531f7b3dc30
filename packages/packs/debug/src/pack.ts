import { definePack, type PackServices } from '@switchboard/toolkit'
import { config } from './config.ts'
import { explainEnd } from './explain-end.ts'
import { manifest } from './generated/manifest.ts'

export const pack = definePack<'debug', typeof config, PackServices>({
  name: 'debug',
  summary: 'A debugger for agents: breakpoints, steps, values and traces of programs in six languages.',
  config,
  tools: manifest.tools,
  guides: manifest.guides,
  explainEnd,
  async create({ log, clock, folders, services: { recall, codeIndex } }, values) {
    const { createDebugPack } = await import('./create-debug-pack.ts')
    const { showSecrets, backend, maxSessions, idleTimeout } = values
    const cacheFolder = folders.cache
    return createDebugPack({
      ...{ log, clock, cacheFolder, showSecrets, backend, maxSessions, idleTimeout, recall, codeIndex },
    })
  },
})
