import { definePack, type PackServices } from '@switchboard/toolkit'
import { config } from './config.ts'
import { manifest } from './generated/manifest.ts'
import { isParadoxWorkspace } from './playset/paradox-workspace.ts'

/** Of no use where there is nothing of the game. */
const GAME_TOOLS = manifest.tools.filter(({ category }) => category === 'Crusader Kings 3').map(({ name }) => name)

/** Every command that reads the configuration imports this module: what is heavy belongs behind the import in `create`. */
export const pack = definePack<'lens', typeof config, PackServices>({
  name: 'lens',
  summary: 'An index of the workspace: its symbols, texts and mistakes, kept current.',
  config,
  tools: manifest.tools,
  guides: manifest.guides,
  listedIn: (workspace) => (workspace !== undefined && isParadoxWorkspace(workspace) ? GAME_TOOLS : []),
  async create(context, values) {
    const { openPack } = await import('./open-pack.ts')
    return openPack(context, values)
  },
})
