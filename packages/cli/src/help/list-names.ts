/** The names that a shell completes. Nothing is started, and whatever is wrong is no news for somebody who types. */
import { openDaemonBackend } from '../backend/open-daemon-backend.ts'
import type { CompletedNames } from '../command-line/command-spec.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import type { BareContext, CommandContext } from '../context/command-context.ts'
import { openContext } from '../context/open-context.ts'

/** A shell expands what it completes with: a server's name for a tool must be no command. */
const SAFE = /^[\w./-]+$/

export async function listNames(bare: BareContext, options: OptionValues, kind: CompletedNames): Promise<string[]> {
  const context = await openContext(bare, options)
  try {
    const names = await (kind === 'servers' ? listServers(context) : listTools(context))
    return [...new Set(names)].filter((name) => SAFE.test(name)).sort()
  } catch {
    return []
  } finally {
    await context.log.close()
  }
}

async function listServers(context: CommandContext): Promise<string[]> {
  const { loadServers } = await import('../config/load-servers.ts')
  const { servers, misconfigured } = await loadServers(context)
  return [...servers, ...misconfigured].map(({ name }) => name)
}

/** Without a daemon those that were seen when the servers last ran. */
async function listTools(context: CommandContext): Promise<string[]> {
  const backend = (await openDaemonBackend(context, undefined)) ?? (await openAlone(context))
  try {
    return (await backend.tools()).map(({ name }) => name)
  } finally {
    await backend.close()
  }
}

async function openAlone(context: CommandContext) {
  const { openMemoryBackend } = await import('../backend/open-memory-backend.ts')
  return openMemoryBackend(context, {})
}
