/** What a pack shows: its declared tools, guides and stored results, as far as they are shown now. */
import type { Catalog, JsonObject } from '@switchboard/protocol'
import { listGuidePrompts } from '../guides/guide-prompts.ts'
import { createOutputSchema } from '../manifest/output-schema.ts'
import type { PackManifest, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { describeTool, toSentence } from './describe-tool.ts'
import { createResultTemplate } from './stored-resource.ts'

/** What of a pack is shown now, where that changes while it runs. */
export interface Listing {
  /** Names of tools that are neither listed nor can be called. */
  readonly hidden?: readonly string[]
  /** What the description of a tool says besides, by its name. */
  readonly notes?: Readonly<Record<string, string>>
  /** What the pack tells a model about itself. */
  readonly instructions?: string
}

export interface CatalogOptions {
  readonly name: string
  readonly manifest: PackManifest
  /** Whether every tool is listed with its output schema; the catalog has them anyway. */
  readonly outputSchemas: boolean
}

export function createCatalog(
  { name, manifest, outputSchemas }: CatalogOptions,
  { hidden = [], notes = {}, instructions = '' }: Listing,
): Catalog {
  const { definitions = {}, guides } = manifest
  const listed = manifest.tools.filter((tool) => tool.listed && !hidden.includes(tool.name))
  const schemaOf = ({ data }: ToolDeclaration): JsonObject | undefined =>
    data === undefined ? undefined : createOutputSchema(data, definitions)
  const outputSchemaOf = (name: string): JsonObject | undefined => {
    const tool = listed.find((candidate) => candidate.name === name)
    return tool === undefined ? undefined : schemaOf(tool)
  }
  return {
    tools: listed.map((tool) => describeTool(withNote(tool, notes), outputSchemas ? schemaOf(tool) : undefined)),
    ...(outputSchemas ? {} : { outputSchemaOf }),
    aliases: Object.fromEntries(listed.flatMap((tool) => tool.aliases.map((alias) => [alias, tool.name]))),
    resources: [],
    templates: [createResultTemplate(name)],
    prompts: listGuidePrompts(guides),
    instructions,
    // Not `resources`: stored results are reached by their template, and an upstream's unlisted ones stay reachable.
    capabilities: { tools: {}, ...(guides.length === 0 ? {} : { prompts: {} }) },
  }
}

function withNote(tool: ToolDeclaration, notes: Readonly<Record<string, string>>): ToolDeclaration {
  const note = Object.hasOwn(notes, tool.name) ? notes[tool.name] : undefined
  if (note === undefined) return tool
  return {
    ...tool,
    whenToUse: [tool.whenToUse, note].flatMap((text) => (text === undefined ? [] : toSentence(text))).join(' '),
  }
}
