/** The keys of the pool, and what only shows over several of them: which servers there are in the end. */
import { basename } from 'node:path'
import { nearestName } from '@switchboard/base'
import {
  type ConfigProblem,
  choiceType,
  createNodeOfValue,
  createRecord,
  type FieldTable,
  field,
  findEntry,
  formatProblem,
  integerType,
  listType,
  NAME_EXPECTED,
  NAME_PATTERN,
  objectType,
  pathType,
  type ReadContext,
  recordType,
  type SectionPlace,
  type SourceNode,
  section,
  type ValuesOf,
  withoutZero,
} from '@switchboard/config'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import { PRESET_NAMES, PRESETS, type PresetServer } from './presets.ts'
import type { ServerConfig } from './server-config.ts'
import { definitionsType, type ServerInput } from './server-fields.ts'
import { serverType } from './server-type.ts'

const QUEUE_FIELDS = {
  concurrent: field(integerType(1, 1024), {
    fallback: 1,
    required: true,
    unit: 'calls',
    doc: 'The most calls in flight at once over all servers of the queue.',
    examples: [2],
  }),
} satisfies FieldTable

const QUEUE_TABLE = { name: 'queue', owner: 'a queue', fields: QUEUE_FIELDS }

const names = { keyPattern: NAME_PATTERN, keyExpected: NAME_EXPECTED }

const POOL_FIELDS = {
  mcpServers: field(
    recordType(serverType, { ...names, expected: 'an object of servers', short: 'object of servers' }),
    {
      fallback: createRecord<ServerConfig>([]),
      written: {},
      doc: 'The servers by name, in the shape that every MCP client knows.',
      examples: [{ memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] } }],
    },
  ),
  queues: field(
    recordType(objectType(QUEUE_TABLE), { ...names, expected: 'an object of queues', short: 'object of queues' }),
    {
      fallback: createRecord<QueueConfig>([]),
      written: {},
      doc: 'Named limits that several servers share.',
      examples: [{ heavy: { concurrent: 2 } }],
    },
  ),
  presets: field(
    listType(choiceType(PRESET_NAMES), {
      expected: 'a list of names of presets',
      short: 'list of "dmn"',
      unique: true,
    }),
    {
      fallback: [],
      written: [],
      doc: 'Ready-made sets of servers. `dmn`: shell, filesystem, text-editor, grep, memory and web. Those that work on files need `presetRoot`. A server of yours with the same name wins.',
      examples: [['dmn']],
    },
  ),
  presetRoot: field(
    pathType({
      expected: 'a folder',
      pattern: '\\S',
      expands: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      doc: 'The folder that the servers of `presets` work in; relative to the folder of the configuration file, `~` is the home directory. Absent: those that work on files are listed as disabled.',
      examples: ['~/projects'],
    },
  ),
  definitions: field(definitionsType, {
    fallback: 'pin',
    written: 'pin',
    doc: 'What becomes of a tool, prompt or introduction that is another than when it was first seen: `pin` holds it back until `switchboard trust accept`, `strict` new tools of a known server as well, `warn` only tells, `off` looks at nothing. A server may say otherwise.',
  }),
  startParallelism: field(integerType(1, 256), {
    fallback: 8,
    written: 8,
    unit: 'servers',
    doc: 'How many servers may be busy with their handshake at once while starting.',
  }),
} satisfies FieldTable

/** How many calls may be under way at once over all servers of the queue. */
export type QueueConfig = ValuesOf<typeof QUEUE_FIELDS>

/** What the pool works with. */
export interface PoolConfig extends Pick<ValuesOf<typeof POOL_FIELDS>, 'queues' | 'startParallelism' | 'definitions'> {
  readonly servers: readonly ServerConfig[]
  /** Entries that are wrong, where that is not the end of the others: they are told, and not run. */
  readonly misconfigured: readonly MisconfiguredServer[]
}

export interface MisconfiguredServer {
  readonly name: string
  readonly problems: readonly ConfigProblem[]
  /** The problems as text, a line each. */
  readonly reason: string
}

export const poolSection = section({
  fields: POOL_FIELDS,
  foreign: {
    servers: '"mcpServers" instead',
    mcp_servers: '"mcpServers" instead',
    context_servers: '"mcpServers" instead',
  },
  finish: (
    { mcpServers, queues, presets, presetRoot, startParallelism, definitions },
    { root, context }: SectionPlace,
  ): PoolConfig => {
    const own = Object.values(mcpServers)
    const node = findEntry(root, 'mcpServers')?.node
    reportUnknownQueues(node, Object.keys(queues), context)
    reportSecondUnprefixed(own, node, context)
    reportOwnName(node, context)
    const ready = presets.flatMap((preset) => [...PRESETS[preset]])
    // Also an entry in which something is wrong is a server of the person's own.
    const added = ready.filter(([name]) => findEntry(node, name) === undefined)
    const servers = [
      ...own,
      ...added.flatMap(([name, server]) => createPresetServer(name, server, presetRoot, context)),
    ]
    return { servers, misconfigured: [], queues, startParallelism, definitions }
  },
  entries: {
    key: 'mcpServers',
    settle: (config, problems) => ({
      ...config,
      servers: config.servers.filter(({ name }) => !problems.has(name)),
      misconfigured: [...problems].map(([name, own]) => ({
        name,
        problems: own,
        // It is told to agents too, and where the file lies is none of their business.
        reason: own.map(({ file, ...problem }) => formatProblem({ ...problem, ...nameOf(file) })).join('\n'),
      })),
    }),
  },
})

function nameOf(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file: basename(file) }
}

function createPresetServer(
  name: string,
  preset: PresetServer,
  root: string | undefined,
  context: ReadContext,
): ServerConfig[] {
  const disabledReason = findMissing(preset, root, context)
  const entry = addRoot(preset, root)
  const node = createNodeOfValue(disabledReason === undefined ? entry : { ...entry, enabled: false })
  const server = serverType.read(node, ['presets', name], context)?.value
  if (server === undefined) return []
  return [disabledReason === undefined ? server : { ...server, disabledReason }]
}

/** What a preset's server cannot run without, with the cure. */
function findMissing(
  { needs, root: place }: PresetServer,
  root: string | undefined,
  { env }: ReadContext,
): string | undefined {
  if (place !== undefined && root === undefined) {
    return '"presetRoot" is not set: name the folder that it may work in there, such as "~/projects"'
  }
  return needs === undefined || (env[needs.variable] ?? '') !== ''
    ? undefined
    : `${needs.variable} is not set: ${needs.cure}`
}

function addRoot({ entry, root: place }: PresetServer, root: string | undefined): ServerInput {
  if (place === undefined || root === undefined) return entry
  return { ...entry, cwd: root, ...(place === 'argument' ? { args: [...(entry.args ?? []), root] } : {}) }
}

/** A server of that name could not be told from Switchboard itself; such an entry often starts Switchboard once more. */
function reportOwnName(servers: SourceNode | undefined, { problems }: ReadContext): void {
  const entry = findEntry(servers, OWN_PROVIDER)
  if (entry === undefined) return
  problems.report({
    path: ['mcpServers', OWN_PROVIDER],
    offset: entry.keyOffset,
    problem: "is the name of Switchboard's own tools",
    expected: 'another name; an entry that starts Switchboard itself belongs into no configuration of Switchboard',
  })
}

/** Two servers that show their names unchanged could not be told apart. */
function reportSecondUnprefixed(
  servers: readonly ServerConfig[],
  node: SourceNode | undefined,
  context: ReadContext,
): void {
  const [first, ...others] = servers.filter(({ enabled, tools }) => enabled && tools.prefix === false)
  for (const { name } of others) {
    const tools = findEntry(findEntry(node, name)?.node, 'tools')?.node
    context.problems.report({
      path: ['mcpServers', name, 'tools', 'prefix'],
      offset: findEntry(tools, 'prefix')?.node.offset,
      problem: `is false, as it is on the server "${first?.name}"`,
      expected: 'false on one enabled server at most',
    })
  }
}

/** Also of a server in which something else is wrong; what is no name at all has been reported. */
function reportUnknownQueues(servers: SourceNode | undefined, known: readonly string[], context: ReadContext): void {
  for (const { key, node } of servers?.entries() ?? []) {
    const { scalar: queue, offset } = findEntry(node, 'queue')?.node ?? {}
    if (typeof queue !== 'string' || !QUEUE_NAME.test(queue) || known.includes(queue)) continue
    context.problems.report({
      path: ['mcpServers', key, 'queue'],
      offset,
      problem: `there is no queue "${queue}"`,
      expected: `one of "queues": ${known.length === 0 ? 'there is none' : known.join(', ')}`,
      seen: JSON.stringify(queue),
      nearest: nearestName(queue, known),
    })
  }
}

const QUEUE_NAME = new RegExp(NAME_PATTERN, 'u')
