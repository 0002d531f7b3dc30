/** What is known of tools without running anything: the packs that are built in, and how any listed tool is described. */
import { isJsonObject } from '@switchboard/protocol'
import { toPackProvider } from '@switchboard/protocol/naming'
import { createListedToolHelp, createToolHelp, type ToolHelp, toToolName } from '@switchboard/toolkit'
import type { AnyPack } from './built-in-packs.ts'
import { PACKS } from './packs.ts'

export { createListedToolHelp, type ToolHelp }

export interface PackToolHelp {
  readonly pack: string
  readonly help: ToolHelp
}

/** By its name or another one that it is called by, also as authors write them: `breakpoint.add`. */
export function findPackHelp(given: string): PackToolHelp | undefined {
  const name = toToolName(given)
  for (const { name: pack, tools } of PACKS) {
    const found = tools.find((tool) => tool.name === name || tool.aliases.includes(name))
    if (found !== undefined) return { pack, help: createToolHelp(found) }
  }
  return undefined
}

/** What has ended with the command that got this answer; undefined: nothing. */
export function explainEnd(envelope: unknown): string | undefined {
  if (!isJsonObject(envelope) || !isJsonObject(envelope.data) || !isJsonObject(envelope.meta)) return undefined
  const { provider } = envelope.meta
  const pack: AnyPack<never> | undefined = PACKS.find(({ name }) => toPackProvider(name) === provider)
  return pack?.explainEnd?.(envelope.data)
}

export function listPackTools(): string[] {
  return PACKS.flatMap(({ tools }) => tools.map(({ name }) => name))
}
