/** What is known of tools without running anything: the packs that are built in, and how any listed tool is described. */
import { help as debugHelp } from '@switchboard/pack-debug/help'
import { createListedToolHelp, type ParameterHelp, type ToolHelp, toToolName } from '@switchboard/toolkit'

export { createListedToolHelp, type ParameterHelp, type ToolHelp }

const PACKS = { debug: debugHelp } as const

export interface PackToolHelp {
  readonly pack: string
  readonly help: ToolHelp
}

/** By its name or another one that it is called by, also as authors write them: `breakpoint.add`. */
export function findPackHelp(given: string): PackToolHelp | undefined {
  const name = toToolName(given)
  for (const [pack, tools] of Object.entries(PACKS)) {
    const help = Object.values(tools).find((tool) => tool.name === name || tool.aliases.includes(name))
    if (help !== undefined) return { pack, help }
  }
  return undefined
}

export function listPackTools(): string[] {
  return Object.values(PACKS).flatMap((tools) => Object.keys(tools))
}
