/**
 * Tasks of `.vscode/tasks.json` (and of a `*.code-workspace` file) as commands. Known are shell, process and npm tasks, C++
 * builds, TypeScript, Cargo and Go; tasks that VS Code finds by itself are known by the labels it gives them (`npm: build`,
 * `tsc: build - tsconfig.json`). A task that never ends and one of an unknown kind are refused, with what to do instead.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nearestName } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { readObject } from '../json-values.ts'
import { expandLaunchVariables, type VariableScope } from './expand-variables.ts'
import { forPlatform, readText } from './json-file.ts'
import { argumentText, describeCommand, toShellCommand } from './shell-command.ts'

export interface TaskFile {
  readonly tasks: readonly JsonObject[]
  readonly inputs: readonly JsonObject[]
}

export interface TaskCommand {
  readonly label: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** What a person would type. */
  readonly shown: string
}

/** In the order in which they are to be run: what a task depends on comes first. Throws E_PRELAUNCH_TASK. */
export function planTask(wanted: unknown, file: TaskFile, scope: VariableScope): readonly TaskCommand[] {
  const commands: TaskCommand[] = []
  add(wanted, [])
  return commands

  function add(one: unknown, parents: readonly string[]): void {
    const task = find(one, file, scope)
    const label = labelOf(task)
    if (parents.includes(label)) {
      throw refused(`The task "${label}" depends on itself: ${[...parents, label].join(' → ')}`, label)
    }
    if (commands.some((known) => known.label === label)) return
    const { dependsOn } = task
    const before: unknown[] = Array.isArray(dependsOn) ? dependsOn : dependsOn === undefined ? [] : [dependsOn]
    for (const dependency of before) add(dependency, [...parents, label])
    const command = toCommand(task, label, scope)
    if (command !== undefined) commands.push(command)
  }
}

/** The label of the task that builds by default. */
export function findBuildTask({ tasks }: TaskFile): string | undefined {
  const task = tasks.find(({ group }) => isJsonObject(group) && group.kind === 'build' && group.isDefault === true)
  return task === undefined ? undefined : labelOf(task)
}

function find(wanted: unknown, file: TaskFile, scope: VariableScope): JsonObject {
  if (isJsonObject(wanted)) return forPlatform(wanted)
  const label = String(wanted).replace(/\$\{defaultBuildTask\}/, () => findBuildTask(file) ?? '')
  const written = file.tasks.find((task) => labelOf(task) === label || task.taskName === label)
  const task = written ?? findByLabel(label, scope)
  if (task !== undefined) return forPlatform(task)
  if (label === '') throw refused('It needs the default build task, and tasks.json has none', String(wanted))
  const labels = file.tasks.map(labelOf)
  const nearest = nearestName(label, labels)
  const guess = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  const known = labels.length === 0 ? 'no tasks' : `only ${labels.map((one) => `"${one}"`).join(', ')}`
  throw refused(`It needs the task "${label}"${guess}, and tasks.json has ${known}`, label)
}

/** Those that VS Code finds by itself have no entry in the file. */
function findByLabel(label: string, { folder }: VariableScope): JsonObject | undefined {
  const [, script, path] = /^npm: ([^ ]+)(?: - (.+))?$/.exec(label) ?? []
  if (script !== undefined && existsSync(join(folder, path ?? '', 'package.json')))
    return { type: 'npm', script, label, ...(path === undefined ? {} : { path }) }
  const [, option, tsconfig] = /^tsc: (build|watch) - (.+)$/.exec(label) ?? []
  if (tsconfig !== undefined && existsSync(join(folder, tsconfig)))
    return { type: 'typescript', tsconfig, label, ...(option === 'watch' ? { option } : {}) }
  return undefined
}

function labelOf(task: JsonObject): string {
  const { type, script, tsconfig, path } = task
  const label = readText(task, 'label') ?? readText(task, 'taskName')
  if (label !== undefined) return label
  if (type === 'npm') return `npm: ${String(script)}${typeof path === 'string' ? ` - ${path}` : ''}`
  if (type === 'typescript') return `tsc: ${task.option === 'watch' ? 'watch' : 'build'} - ${String(tsconfig)}`
  return typeof task.command === 'string' ? task.command : 'a task without a label'
}

/** Undefined: it has nothing to run but what it depends on. */
function toCommand(raw: JsonObject, label: string, scope: VariableScope): TaskCommand | undefined {
  if (raw.command === undefined && raw.dependsOn !== undefined && (raw.type === undefined || raw.type === 'shell'))
    return undefined
  const { problemMatcher: _, presentation: __, dependsOn: ___, ...relevant } = raw
  // Every text in it is still one.
  const task = expandLaunchVariables(relevant, scope, `the task "${label}"`) as JsonObject
  const options = readObject(task.options)
  const base = {
    label,
    cwd: resolve(scope.folder, readText(options, 'cwd') ?? (task.type === 'npm' ? (readText(task, 'path') ?? '') : '')),
    env: Object.fromEntries(Object.entries(readObject(options.env)).map(([name, value]) => [name, String(value)])),
  }
  const parts = toParts(task, label, base.cwd)
  const command = { ...base, ...parts }
  if (task.isBackground === true || task.option === 'watch') {
    throw refused(
      `The task "${label}" runs in the background and does not end, so nothing tells when it is ready. Start it yourself: ${command.shown}`,
      label,
    )
  }
  return command
}

function toParts(task: JsonObject, label: string, cwd: string): Pick<TaskCommand, 'command' | 'args' | 'shown'> {
  const args = Array.isArray(task.args) ? task.args : []
  const command = readText(task, 'command')
  switch (task.type) {
    case 'npm': {
      const script = readText(task, 'script') ?? ''
      return direct('npm', script === 'install' ? ['install'] : ['run', script])
    }
    case 'typescript': {
      const own = join(cwd, 'node_modules', '.bin', 'tsc')
      const project = ['-p', readText(task, 'tsconfig') ?? '.']
      return { ...direct(existsSync(own) ? own : 'tsc', project), shown: `npx tsc ${project.join(' ')}` }
    }
    case 'cargo':
    case 'go':
      return direct(task.type, [...(command === undefined ? [] : [command]), ...args.map(String)])
    case 'process':
    case 'cppbuild':
      if (command !== undefined) return direct(command, args.map(argumentText))
      break
    case 'shell':
    case undefined:
      if (command !== undefined || isJsonObject(task.command))
        return toShellCommand(task.command, args, readObject(readObject(task.options).shell))
      break
    default:
      throw refused(`The task "${label}" is of the type "${String(task.type)}", which cannot be run here`, label)
  }
  throw refused(`The task "${label}" has no command`, label)
}

function direct(command: string, args: readonly string[]): Pick<TaskCommand, 'command' | 'args' | 'shown'> {
  return { command, args, shown: describeCommand([command, ...args]) }
}

function refused(message: string, task: string): ToolError {
  return new ToolError('E_PRELAUNCH_TASK', message, { details: { task } })
}
