/** `.vscode/launch.json` and `tasks.json`: JSON with comments and trailing commas, written by people. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, nearestName } from '@switchboard/protocol'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { DebugError } from '../session/debug-error.ts'

export interface LaunchFile {
  readonly configurations: readonly JsonObject[]
  readonly compounds: readonly JsonObject[]
}

const LAUNCH = '.vscode/launch.json'
const TASKS = '.vscode/tasks.json'

/** Throws E_NOT_FOUND where there is none, E_INVALID_LAUNCH where it cannot be read. */
export function readLaunchFile(folder: string): LaunchFile {
  const content = readJson(folder, LAUNCH)
  if (content === undefined) throw new DebugError('E_NOT_FOUND', `There is no ${LAUNCH} in the folder`)
  return { configurations: listObjects(content.configurations), compounds: listObjects(content.compounds) }
}

/** The configurations that a name stands for: one, or those of a compound. */
export function findConfigurations(file: LaunchFile, name: string): readonly JsonObject[] {
  const { configurations, compounds } = file
  const single = configurations.find((configuration) => configuration.name === name)
  if (single !== undefined) return [single]
  const compound = compounds.find((candidate) => candidate.name === name)
  const names = [...configurations, ...compounds].flatMap((entry) =>
    typeof entry.name === 'string' ? [entry.name] : [],
  )
  if (compound === undefined) {
    const nearest = nearestName(name, names)
    const guess = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
    const known = names.length === 0 ? 'it has none' : `it has ${names.map((known) => `"${known}"`).join(', ')}`
    throw new DebugError('E_NOT_FOUND', `${LAUNCH} has no configuration "${name}"${guess}; ${known}`, {
      details: { names },
    })
  }
  const members = Array.isArray(compound.configurations) ? compound.configurations : []
  const found = members.map((member: unknown) => {
    const memberName = isJsonObject(member) ? member.name : member
    const configuration = configurations.find((candidate) => candidate.name === memberName)
    if (configuration !== undefined) return configuration
    throw new DebugError('E_INVALID_LAUNCH', `The compound "${name}" names "${String(memberName)}", which is not there`)
  })
  if (found.length === 0) throw new DebugError('E_INVALID_LAUNCH', `The compound "${name}" has no configurations`)
  const task = compound.preLaunchTask
  // One task for all, before the first.
  return task === undefined
    ? found
    : found.map((entry, index) => (index === 0 ? { preLaunchTask: task, ...entry } : entry))
}

/** What a person would type for it; undefined when nothing is known of it. */
export function findTaskCommand(folder: string, label: string): string | undefined {
  const tasks = listObjects(readJson(folder, TASKS)?.tasks)
  const task =
    tasks.find((candidate) => candidate.label === label || candidate.taskName === label) ?? findDefault(tasks, label)
  if (task === undefined) return undefined
  if (task.type === 'npm') return `npm run ${String(task.script)}`
  if (typeof task.command !== 'string') return undefined
  const args = Array.isArray(task.args)
    ? task.args.map((arg: unknown) => (isJsonObject(arg) ? String(arg.value) : String(arg)))
    : []
  return [task.command, ...args].join(' ')
}

function findDefault(tasks: readonly JsonObject[], label: string): JsonObject | undefined {
  if (!label.includes('defaultBuildTask')) return undefined
  return tasks.find(({ group }) => isJsonObject(group) && group.kind === 'build' && group.isDefault === true)
}

function readJson(folder: string, name: string): JsonObject | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new DebugError('E_INVALID_LAUNCH', `${name} could not be read: ${String(error)}`, { cause: error })
  }
  const errors: ParseError[] = []
  const content: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new DebugError('E_INVALID_LAUNCH', `${name}:${line} is no JSON: ${printParseErrorCode(first.error)}`)
  }
  if (!isJsonObject(content)) throw new DebugError('E_INVALID_LAUNCH', `${name} must be an object`)
  return content
}

function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown): item is JsonObject => isJsonObject(item)) : []
}
