/**
 * The strict reader: a text or an object in, a whole PoolConfig out, or one `invalid_configuration` that names every
 * problem. No file is touched here. An empty text is refused on purpose: a file that is just being rewritten must
 * not look like a wish to stop every server.
 */
import { resolve } from 'node:path'
import { OWN_PROVIDER } from '@switchboard/protocol'
import type { Node } from 'jsonc-parser'
import { checkServer, type ServerContext } from './check-server.ts'
import { createRecord } from './collection-types.ts'
import type { ReadContext } from './field-types.ts'
import { POOL_TABLE } from './fields.ts'
import type { ModeConfig } from './mode-config.ts'
import { reportUnknownModeForHttp } from './mode-fields.ts'
import type { McpPoolInput } from './pool-input.ts'
import { PRESETS, type PresetServer } from './presets.ts'
import { findPosition, type KeyPath, ProblemList } from './problems.ts'
import { type FieldValues, readFallbacks, readFields } from './read-fields.ts'
import type { ServerConfig, SwitchboardConfig } from './server-config.ts'
import { createNodeOfValue, parseSource, type SourceEntry, type SourceNode } from './source-node.ts'
import type { Environment } from './variables.ts'

export interface ReadPoolConfigOptions {
  /** JSON with comments. */
  readonly text: string
  /** For messages. */
  readonly file: string
  readonly env: Environment
  /** Relative `cwd`s are resolved against it: the folder of the file. */
  readonly baseDirectory: string
  /** keep: an unresolved variable stays as it is written instead of being refused. Default: refuse. */
  readonly unresolvedVariables?: 'refuse' | 'keep'
}

export interface CheckPoolConfigOptions {
  /** Default: the environment of this process. */
  readonly env?: Environment
  /** Where the object came from, for messages. */
  readonly source?: string
  /** Default: the current directory. */
  readonly baseDirectory?: string
}

export function readPoolConfig(options: ReadPoolConfigOptions): SwitchboardConfig {
  const { text, file, env, baseDirectory, unresolvedVariables = 'refuse' } = options
  const problems = new ProblemList(file, text)
  const context = { problems, env, unresolved: unresolvedVariables, baseDirectory, queues: [] }
  const source = parseSource(text)
  if (source.root === undefined) return problems.throwOne({ path: [], ...source.syntax })
  reportDuplicateKeys(source.tree, text, problems)
  return checkRoot(source.root, context)
}

export function checkPoolConfig(object: McpPoolInput, options: CheckPoolConfigOptions = {}): SwitchboardConfig {
  const { env = process.env, source, baseDirectory = process.cwd() } = options
  const problems = new ProblemList(source)
  return checkRoot(createNodeOfValue(object), { problems, env, unresolved: 'refuse', baseDirectory, queues: [] })
}

function checkRoot(root: SourceNode, base: ServerContext): SwitchboardConfig {
  const { values } = readFields(root, [], POOL_TABLE, base) ?? { values: readFallbacks(POOL_TABLE.fields) }
  const context: ServerContext = { ...base, queues: Object.keys(values.queues) }
  const own = Object.entries(values.mcpServers).flatMap(
    ([name, node]) => checkServer(name, node, ['mcpServers', name], context) ?? [],
  )
  reportSecondUnprefixed(own, values.mcpServers, context)
  reportOwnName(values.mcpServers, root, context)
  const modeForHttp = findEntry(findEntry(root, 'gateway'), 'modeForHttp')
  reportUnknownModeForHttp(values.gateway.modeForHttp, values.modes, modeForHttp?.offset, context)
  const servers = [...own, ...createPresetServers(values, context)]
  context.problems.throwOnAny()
  const { queues: given, startParallelism, gateway, daemon, profiles, packs } = values
  const queues = createRecord(Object.entries(given))
  const modes = resolveInstructions(values.modes, base.baseDirectory)
  return { servers, queues, startParallelism, gateway, daemon, profiles, modes, packs }
}

/** A server of that name could not be told from Switchboard itself; such an entry often starts Switchboard once more. */
function reportOwnName(nodes: Readonly<Record<string, SourceNode>>, root: SourceNode, { problems }: ReadContext): void {
  if (!Object.hasOwn(nodes, OWN_PROVIDER)) return
  const entry = findEntryOf(findEntry(root, 'mcpServers'), OWN_PROVIDER)
  problems.report({
    path: ['mcpServers', OWN_PROVIDER],
    offset: entry?.keyOffset,
    problem: "is the name of Switchboard's own tools",
    expected: 'another name; an entry that starts Switchboard itself belongs into no configuration of Switchboard',
  })
}

function resolveInstructions(
  modes: Readonly<Record<string, ModeConfig>>,
  baseDirectory: string,
): Readonly<Record<string, ModeConfig>> {
  const resolved = Object.entries(modes).map(([name, mode]): [string, ModeConfig] => {
    const file = mode.instructionsFile
    return [name, file === undefined ? mode : { ...mode, instructionsFile: resolve(baseDirectory, file) }]
  })
  return createRecord(resolved)
}

function createPresetServers(
  { presets, mcpServers }: FieldValues<typeof POOL_TABLE.fields>,
  context: ServerContext,
): ServerConfig[] {
  const servers: ServerConfig[] = []
  for (const preset of presets) {
    for (const [name, presetServer] of PRESETS[preset]) {
      if (Object.hasOwn(mcpServers, name)) continue
      servers.push(...createPresetServer(name, presetServer, context))
    }
  }
  return servers
}

function createPresetServer(name: string, { entry, needs }: PresetServer, context: ServerContext): ServerConfig[] {
  const isMissing = needs !== undefined && (context.env[needs.variable] ?? '') === ''
  const node = createNodeOfValue(isMissing ? { ...entry, enabled: false } : entry)
  const server = checkServer(name, node, ['presets', name], context)
  if (server === undefined) return []
  return [isMissing ? { ...server, disabledReason: `${needs.variable} is not set: ${needs.cure}` } : server]
}

/** Two servers that show their names unchanged could not be told apart. */
function reportSecondUnprefixed(
  servers: readonly ServerConfig[],
  nodes: Readonly<Record<string, SourceNode>>,
  context: ReadContext,
): void {
  const [first, ...others] = servers.filter(({ enabled, tools }) => enabled && tools.prefix === false)
  for (const { name } of others) {
    const path: KeyPath = ['mcpServers', name, 'tools', 'prefix']
    const tools = findEntry(nodes[name], 'tools')
    context.problems.report({
      path,
      offset: findEntry(tools, 'prefix')?.offset,
      problem: `is false, as it is on the server "${first?.name}"`,
      expected: 'false on one enabled server at most',
    })
  }
}

function findEntryOf(node: SourceNode | undefined, key: string): SourceEntry | undefined {
  return node?.entries().find((entry) => entry.key === key)
}

function findEntry(node: SourceNode | undefined, key: string): SourceNode | undefined {
  return findEntryOf(node, key)?.node
}

/** JSON parsers take the last of two equal keys without a word; a person who wrote both meant both. */
function reportDuplicateKeys(tree: Node, text: string, problems: ProblemList): void {
  const pending: { node: Node; path: KeyPath }[] = [{ node: tree, path: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next
    const seen = new Map<string, number>()
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') {
        pending.push({ node: child, path: [...path, index] })
        continue
      }
      const [key, value] = child.children ?? []
      if (key === undefined || value === undefined) continue
      const childPath = [...path, String(key.value)]
      const first = seen.get(key.value)
      if (first === undefined) seen.set(key.value, key.offset)
      else {
        const problem = `is there twice, first on line ${findPosition(text, first).line}`
        problems.report({ path: childPath, offset: key.offset, problem, expected: 'every key once' })
      }
      pending.push({ node: value, path: childPath })
    }
  }
}
