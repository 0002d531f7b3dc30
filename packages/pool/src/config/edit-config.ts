/**
 * Changes to the text of a configuration file. Comments and layout of everything else stay as they are, and the
 * result is checked before it is returned: a change that would make the file invalid is refused. Pure: no file is
 * touched. Without `env` the variables are not looked up, so a server may be added before its key is set.
 */
import { nearestName, SwitchboardError } from '@switchboard/protocol'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { SCHEMA_FILE_NAME } from './json-schema.ts'
import { removeProperty, setProperty } from './json-text.ts'
import { readPoolConfig } from './pool-config.ts'
import type { ServerInput } from './pool-input.ts'
import { PRESETS } from './presets.ts'
import { ProblemList } from './problems.ts'
import type { PoolConfig } from './server-config.ts'
import { parseSource } from './source-node.ts'
import type { Environment } from './variables.ts'

export interface EditOptions {
  /** For messages. Default: config.json. */
  readonly file?: string
  /** Given: variables must be resolvable in the result. */
  readonly env?: Environment
  readonly baseDirectory?: string
  /** What a fresh file names as its `$schema`. */
  readonly schema?: string
}

/** An empty or missing text starts a fresh file. */
export function addServer(
  text: string | undefined,
  name: string,
  entry: ServerInput,
  options: EditOptions = {},
): string {
  const start = text === undefined || text.trim() === '' ? createFreshText(options) : text
  if (findServer(start, name, options) !== undefined) {
    throw new SwitchboardError(
      'invalid_configuration',
      `The server "${name}" is already configured in ${fileOf(options)}.`,
      {
        hint: 'Remove it first, or choose another name.',
        details: { server: name },
      },
    )
  }
  const changed = setProperty(start, ['mcpServers', name], entry)
  readChecked(changed, options)
  return changed
}

export function removeServer(text: string, name: string, options: EditOptions = {}): string {
  if (findServer(text, name, options) === undefined) throw createUnknownServerError(text, name, options)
  const changed = removeProperty(text, ['mcpServers', name])
  readChecked(changed, options)
  return changed
}

/** Disabling a preset's server writes its entry into the file, where it can be changed. */
export function setServerEnabled(text: string, name: string, enabled: boolean, options: EditOptions = {}): string {
  const changed =
    findServer(text, name, options) === undefined
      ? setPresetServerEnabled(text, name, enabled, options)
      : setFlags(text, name, enabled)
  const server = readChecked(changed, options).servers.find((candidate) => candidate.name === name)
  if (options.env !== undefined && server?.enabled !== enabled) {
    const reason = server?.disabledReason ?? 'it is not configured'
    throw new SwitchboardError('invalid_configuration', `The server "${name}" cannot be enabled: ${reason}.`, {
      details: { server: name },
    })
  }
  return changed
}

/** Keeps the key that is there, `enabled` or another client's `disabled`; where there is none, true needs none. */
function setFlags(text: string, name: string, enabled: boolean): string {
  const path = ['mcpServers', name]
  const has = (key: string): boolean => findNode(text, [...path, key]) !== undefined
  let changed = text
  if (has('enabled') || (!enabled && !has('disabled'))) changed = setProperty(changed, [...path, 'enabled'], enabled)
  if (has('disabled')) changed = setProperty(changed, [...path, 'disabled'], !enabled)
  return changed
}

function setPresetServerEnabled(text: string, name: string, enabled: boolean, options: EditOptions): string {
  const entry = findPresetEntry(text, name, options)
  if (entry === undefined) throw createUnknownServerError(text, name, options)
  return enabled ? text : setProperty(text, ['mcpServers', name], { ...entry, enabled })
}

function findPresetEntry(text: string, name: string, options: EditOptions): ServerInput | undefined {
  const isListed = readChecked(text, options).servers.some((server) => server.name === name)
  if (!isListed) return undefined
  return Object.values(PRESETS)
    .map((preset) => preset.get(name)?.entry)
    .find((entry) => entry !== undefined)
}

function createUnknownServerError(text: string, name: string, options: EditOptions): SwitchboardError {
  const names = (findNode(text, ['mcpServers'])?.children ?? []).map((child) => String(child.children?.[0]?.value))
  const nearest = nearestName(name, names)
  const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return new SwitchboardError('unknown_server', `There is no server "${name}" in ${fileOf(options)}.${question}`, {
    details: { server: name, known: names, ...(nearest === undefined ? {} : { nearest }) },
  })
}

/** Also refuses a text that cannot be edited: not JSON, or with something else where the servers should be. */
function findServer(text: string, name: string, options: EditOptions): Node | undefined {
  const source = parseSource(text)
  const problems = new ProblemList(fileOf(options), text)
  if (source.root === undefined) return problems.throwOne({ path: [], ...source.syntax })
  const servers = findNodeAtLocation(source.tree, ['mcpServers'])
  if (source.tree.type !== 'object' || (servers !== undefined && servers.type !== 'object')) readChecked(text, options)
  return findNodeAtLocation(source.tree, ['mcpServers', name])
}

function findNode(text: string, path: string[]): Node | undefined {
  const source = parseSource(text)
  return source.root === undefined ? undefined : findNodeAtLocation(source.tree, path)
}

function readChecked(text: string, options: EditOptions): PoolConfig {
  const { env, baseDirectory = process.cwd() } = options
  const unresolvedVariables = env === undefined ? 'keep' : 'refuse'
  return readPoolConfig({ text, file: fileOf(options), env: env ?? {}, baseDirectory, unresolvedVariables })
}

function fileOf({ file = 'config.json' }: EditOptions): string {
  return file
}

function createFreshText({ schema = `./${SCHEMA_FILE_NAME}` }: EditOptions): string {
  return `${JSON.stringify({ $schema: schema, mcpServers: {} }, null, 2)}\n`
}
