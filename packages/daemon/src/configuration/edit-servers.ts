/**
 * Changes to the servers in the text of a configuration file. Comments and layout of everything else stay as they are, and the
 * result is checked before it is returned: a change that would make the file or its own entry invalid is refused; another
 * entry that is wrong is in nobody's way. Pure: no file is touched. Without `env` the variables are not looked up, so a server may be added before its key is set.
 */
import { nearestName } from '@switchboard/base'
import { type Environment, formatProblem } from '@switchboard/config'
import {
  hasProperty,
  listKeys,
  readJsonText,
  readPropertyText,
  removeProperty,
  replacePropertyText,
  setProperty,
} from '@switchboard/config/text'
import { type MisconfiguredServer, PRESETS, type ServerInput } from '@switchboard/pool/config'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { SCHEMA_FILE_NAME } from './generate-configuration-files.ts'
import { type SwitchboardConfig, switchboardFile } from './switchboard-file.ts'

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
  if (hasServer(start, name, options)) {
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
  readChecked(changed, name, options)
  return changed
}

export function removeServer(text: string, name: string, options: EditOptions = {}): string {
  if (!hasServer(text, name, options)) throw createUnknownServerError(text, name, options)
  const changed = removeProperty(text, ['mcpServers', name])
  readChecked(changed, name, options)
  return changed
}

/** The entry as it is written, to be edited by a person. */
export function readServerText(text: string, name: string, options: EditOptions = {}): string {
  const written = hasServer(text, name, options) ? readPropertyText(text, ['mcpServers', name]) : undefined
  if (written === undefined) throw createUnknownServerError(text, name, options)
  return written
}

/** `content`: the whole entry as JSON, with its comments. */
export function replaceServer(text: string, name: string, content: string, options: EditOptions = {}): string {
  if (!hasServer(text, name, options)) throw createUnknownServerError(text, name, options)
  const reading = readJsonText(content)
  if (reading.problem !== undefined || !isJsonObject(reading.value)) {
    const problem = reading.problem === undefined ? 'it is no object' : `line ${reading.line}: ${reading.problem}`
    throw new SwitchboardError('invalid_configuration', `The entry of "${name}" cannot be read: ${problem}.`)
  }
  const changed = replacePropertyText(text, ['mcpServers', name], content)
  readChecked(changed, name, options)
  return changed
}

/** Whether agents of a profile find tools by searching, or have all of them listed. */
export function setProfileSearch(
  text: string | undefined,
  profile: string,
  isOn: boolean,
  options: EditOptions = {},
): string {
  const start = text === undefined || text.trim() === '' ? createFreshText(options) : text
  if (!isEditable(start)) readChecked(start, '', options)
  const changed = setProperty(start, ['profiles', profile, 'search'], isOn)
  readChecked(changed, '', options)
  return changed
}

/** Disabling a preset's server writes its entry into the file, where it can be changed. */
export function setServerEnabled(text: string, name: string, enabled: boolean, options: EditOptions = {}): string {
  const changed = hasServer(text, name, options)
    ? setFlags(text, name, enabled)
    : setPresetServerEnabled(text, name, enabled, options)
  const server = readChecked(changed, name, options).servers.find((candidate) => candidate.name === name)
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
  const has = (key: string): boolean => hasProperty(text, [...path, key])
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
  const listed = readChecked(text, name, options).servers.find((server) => server.name === name)
  if (listed?.type !== 'stdio') return undefined
  const entry = Object.values(PRESETS)
    .map((preset) => preset.get(name)?.entry)
    .find((candidate) => candidate !== undefined)
  // The folder that it works in is the one thing that the file has put in.
  const { cwd, args } = listed
  return entry === undefined || cwd === undefined ? entry : { ...entry, args: [...args], cwd }
}

function createUnknownServerError(text: string, name: string, options: EditOptions): SwitchboardError {
  const names = listKeys(text, ['mcpServers'])
  const nearest = nearestName(name, names)
  const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return new SwitchboardError('unknown_server', `There is no server "${name}" in ${fileOf(options)}.${question}`, {
    details: { server: name, known: names, ...(nearest === undefined ? {} : { nearest }) },
  })
}

/** Also refuses a text that cannot be edited: not JSON, or with something else where the servers should be. */
function hasServer(text: string, name: string, options: EditOptions): boolean {
  if (!isEditable(text)) readChecked(text, name, options)
  return hasProperty(text, ['mcpServers', name])
}

function isEditable(text: string): boolean {
  const reading = readJsonText(text)
  if (reading.problem !== undefined || !isJsonObject(reading.value)) return false
  const { mcpServers } = reading.value
  return mcpServers === undefined || isJsonObject(mcpServers)
}

function readChecked(text: string, edited: string, options: EditOptions): SwitchboardConfig {
  const { env, baseDirectory = process.cwd() } = options
  const file = fileOf(options)
  const unresolvedVariables = env === undefined ? 'keep' : 'refuse'
  const place = { text, file, env: env ?? {}, baseDirectory }
  const config = switchboardFile.read({ ...place, unresolvedVariables, wrongEntries: 'settle' })
  const wrong = config.misconfigured.find(({ name }) => name === edited)
  if (wrong !== undefined) throw createEntryError(wrong)
  return config
}

/** What is wrong with one entry, as the whole file would be refused for it. */
export function createEntryError({ problems }: MisconfiguredServer): SwitchboardError {
  const message = problems.map(formatProblem).join('\n')
  return new SwitchboardError('invalid_configuration', message, { details: { problems } })
}

function fileOf({ file = 'config.json' }: EditOptions): string {
  return file
}

function createFreshText({ schema = `./${SCHEMA_FILE_NAME}` }: EditOptions): string {
  return `${JSON.stringify({ $schema: schema, mcpServers: {} }, null, 2)}\n`
}
