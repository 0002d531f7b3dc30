/** What stands in the place of a pack that could not be made: its tools are listed, and each says why it does not run. */
import { errorMessage } from '@switchboard/base'
import { EMPTY_CATALOG } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { toPackProvider } from '@switchboard/protocol/naming'
import { describeTool } from '../run/describe-tool.ts'
import type { PackDefinition, PackInstance } from './define-pack.ts'

export function createFailedPack(
  { name, tools }: Pick<PackDefinition, 'name' | 'tools'>,
  thrown: unknown,
): PackInstance {
  const reason = errorMessage(thrown)
  const provider = toPackProvider(name)
  const listed = tools.filter((tool) => tool.listed)
  const catalog = { ...EMPTY_CATALOG, tools: listed.map((tool) => describeTool(tool)), capabilities: { tools: {} } }
  const nothing = { dispose: () => undefined }
  return {
    provider: {
      name: provider,
      naming: { prefix: false },
      catalog: () => catalog,
      onCatalogChange: () => nothing,
      onResourceUpdated: () => nothing,
      request: async () => {
        throw new SwitchboardError('pack_failed', `The pack ${name} could not be started: ${reason}`, {
          details: { pack: name },
          cause: thrown,
        })
      },
      status: () => ({ name: provider, state: 'failed', stale: false, kind: 'pack', tools: listed.length, reason }),
    },
    release: () => undefined,
    close: async () => undefined,
  }
}
