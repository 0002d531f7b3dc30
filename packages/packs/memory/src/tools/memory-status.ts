import { errorMessage } from '@switchboard/base'
import type { ToolOutcome } from '@switchboard/toolkit'
import { CHECKPOINT } from '../checkpoints/checkpoint.ts'
import { manifest } from '../generated/manifest.ts'
import type { MemoryStatusData } from '../generated/types.ts'
import type { Context, Host, SpaceName } from '../host.ts'
import { scopesOf } from '../projects/projects.ts'
import { REMEDIATION } from '../remediations/remediation.ts'

type Service = MemoryStatusData['services'][string]

const COUNTED: readonly { readonly space: SpaceName; readonly kind: string; readonly name: string }[] = [
  { space: 'checkpoints', kind: CHECKPOINT, name: 'checkpoints' },
  { space: 'remediations', kind: REMEDIATION, name: 'remediations' },
  { space: 'skills', kind: 'skill', name: 'skills' },
]

export async function run(
  _params: unknown,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<MemoryStatusData>> {
  const { bytes } = await host.describeStore()
  const scopes = scopesOf(workspace)
  const items: Record<string, number> = {}
  let store: Service = { status: 'healthy' }
  try {
    for (const { space, kind, name } of COUNTED) {
      const { total } = await (await host.space(space)).list({ scopes, kinds: [kind], limit: 1 }, { signal })
      items[name] = total
    }
  } catch (error) {
    signal.throwIfAborted()
    store = { status: 'unhealthy', error: errorMessage(error) }
  }
  const encoder = describeEncoder(host)
  const status = store.status === 'unhealthy' ? 'unhealthy' : encoder?.status === 'unhealthy' ? 'degraded' : 'healthy'
  const now = host.clock.wallTime()
  const data: MemoryStatusData = {
    status,
    services: { store, ...(encoder === undefined ? {} : { encoder }) },
    items,
    bytes,
    retentionDays: host.config.retention,
    uptimeMs: Math.round(host.clock.now() - host.openedAt),
    tools: manifest.tools.length,
    lastUpdated: new Date(now).toISOString(),
  }
  return { data, text: describe(data) }
}

/** Undefined: none is configured. */
function describeEncoder({ meaning }: Host): Service | undefined {
  if (meaning === undefined) return undefined
  const { model, problem } = meaning.status()
  if (problem !== undefined) return { status: 'unhealthy', error: problem }
  return { status: model === undefined ? 'unknown' : 'healthy' }
}

function describe({ status, services, items, bytes, retentionDays }: MemoryStatusData): string {
  const problems = Object.entries(services).flatMap(([name, { error }]) =>
    error === undefined ? [] : [`${name}: ${error}`],
  )
  const held = Object.entries(items).map(([name, count]) => `${count} ${name}`)
  const kept = retentionDays === 0 ? 'nothing is deleted by itself' : `checkpoints are kept for ${retentionDays} days`
  const search = services.encoder === undefined ? 'search by words' : 'search by words and meaning'
  return [
    `${status}: ${held.join(', ')} for this window; ${(bytes / 1_048_576).toFixed(1)} MiB in all; ${search}; ${kept}.`,
    ...problems,
  ].join('\n')
}
