/** Finds what there is to say about a tool: of a pack at once, of a server by asking whoever runs it. */
import { nearestNames } from '@switchboard/base'
import type { ToolHelp } from '@switchboard/daemon/tool-help'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CallWords } from '../call/read-call-words.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { BareContext } from '../context/command-context.ts'
import { Spinner } from '../terminal/spinner.ts'
import type { ToolOrigin } from './format-tool-help.ts'

export interface FoundToolHelp {
  readonly help: ToolHelp
  readonly origin: ToolOrigin
}

/** Rejects with a UsageError that has the nearest names, or as a call to the tool's server would. */
export async function findToolHelp(
  bare: BareContext,
  options: OptionValues,
  { tool: name, server }: CallWords,
): Promise<FoundToolHelp> {
  const { findPackHelp, listPackTools, createListedToolHelp } = await import('@switchboard/daemon/tool-help')
  const known = server === undefined ? findPackHelp(name) : undefined
  if (known !== undefined) return { help: known.help, origin: { kind: 'pack', name: known.pack } }
  const { openContext } = await import('../context/open-context.ts')
  const context = await openContext(bare, options)
  const spinner = new Spinner(context.err, () => `looking for ${name} …`)
  try {
    const tool = await runWithBackend(context, {}, (backend) =>
      backend.findTool(name, { signal: context.io.signal, ...(server === undefined ? {} : { server }) }),
    )
    return { help: createListedToolHelp(tool), origin: { kind: 'server', name: tool.server } }
  } catch (error) {
    if (!(error instanceof SwitchboardError) || error.code !== 'unknown_tool') throw error
    const { suggestions } = error.details
    const near = [
      ...(Array.isArray(suggestions) ? suggestions.map(String) : []),
      ...nearestNames(name, listPackTools()),
    ]
    const names = [...new Set(near)].slice(0, MAX_SUGGESTIONS)
    throw new UsageError(
      `There is no command and no tool "${name}".${names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`}`,
      { hint: 'switchboard --help shows the commands, switchboard tools the tools.' },
    )
  } finally {
    spinner.stop()
    await context.log.close()
  }
}

const MAX_SUGGESTIONS = 3
