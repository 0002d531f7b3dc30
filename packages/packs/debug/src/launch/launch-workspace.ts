/** What VS Code would know of the workspace for one start: folders, launch files, tasks, settings. Read once, when asked. */
import type { JsonObject } from '@switchboard/protocol'
import type { StartRequest } from '../desk/start-request.ts'
import type { Attach, Launch } from '../engine/debug-session.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { type CodeWorkspace, listFolders, readCodeWorkspaces, type WorkspaceFolder } from './code-workspace.ts'
import type { VariableScope } from './expand-variables.ts'
import { listObjects, readJsonFile } from './json-file.ts'
import { type LaunchSource, readSources } from './launch-file.ts'
import type { ResolveContext, StartParams } from './resolve-start.ts'
import { findBuildTask, planTask, type TaskCommand, type TaskFile } from './task-file.ts'
import type { TaskRunner } from './task-runner.ts'

const TASKS = '.vscode/tasks.json'
const SETTINGS = '.vscode/settings.json'
/** A task after a session has nobody to say how long it may take. */
const AFTER_MS = 300_000

export interface TaskWish {
  readonly task: unknown
  readonly source: LaunchSource
}

export class LaunchWorkspace {
  readonly sources: readonly LaunchSource[]
  readonly #params: StartParams
  readonly #context: ResolveContext
  readonly #workspaces: readonly CodeWorkspace[]
  readonly #folders: readonly WorkspaceFolder[]
  readonly #file: string | undefined

  constructor(params: StartParams, context: ResolveContext) {
    const { paths } = context
    this.#params = params
    this.#context = context
    this.#workspaces = readCodeWorkspaces(paths)
    this.#folders = listFolders(paths, this.#workspaces)
    this.sources = readSources(paths, this.#workspaces, this.#wantedFolder(paths))
    this.#file = params.program === undefined ? undefined : paths.resolveFile(params.program)
  }

  findFolder(name: string): string | undefined {
    return this.#folders.find((folder) => folder.name === name)?.path
  }

  scopeOf({ folder, inputs }: LaunchSource): VariableScope {
    return {
      folder,
      folders: this.#folders,
      env: this.#context.env,
      file: this.#file,
      given: this.#params.inputs ?? {},
      inputs,
      settings: () => this.#readSettings(folder),
      buildTask: () => findBuildTask(this.#readTasks(folder)),
    }
  }

  /** The commands are found now, so that a mistake in them is told before anything has run. */
  planTasks(
    before: readonly TaskWish[],
    after: readonly TaskWish[],
    { runner, findHow }: { runner: TaskRunner; findHow: () => Launch | Attach },
  ): Pick<StartRequest, 'before' | 'after'> {
    const first = this.#plan(before)
    const last = this.#plan(after)
    const { env: environment } = this.#context
    const onFailure = (error: unknown): void => this.#context.log('the postDebugTask failed', error)
    return {
      ...(first.length === 0
        ? {}
        : { before: (options) => runner.run(first, { ...options, environment }).then(findHow) }),
      ...(last.length === 0
        ? {}
        : { after: () => runner.runLater(last, { timeoutMs: AFTER_MS, environment }, onFailure) }),
    }
  }

  #plan(wishes: readonly TaskWish[]): readonly TaskCommand[] {
    return wishes.flatMap(({ task, source }) => {
      if (task === undefined || task === null || task === '') return []
      const file = this.#readTasks(source.folder)
      const scope = this.scopeOf(source)
      return planTask(task, file, { ...scope, inputs: [...file.inputs, ...scope.inputs] })
    })
  }

  #wantedFolder(paths: WorkspacePaths): string | undefined {
    const { folder } = this.#params
    if (folder === undefined) return undefined
    const path = this.findFolder(folder) ?? paths.resolve(folder)
    return path === paths.root ? undefined : path
  }

  #readTasks(folder: string): TaskFile {
    const own = readJsonFile(folder, TASKS) ?? {}
    const all: readonly JsonObject[] = [own, ...this.#workspaces.map(({ tasks }) => tasks)]
    return {
      tasks: all.flatMap(({ tasks }) => listObjects(tasks)),
      inputs: all.flatMap(({ inputs }) => listObjects(inputs)),
    }
  }

  /** The folder's own come on top of those of the workspace. */
  #readSettings(folder: string): JsonObject {
    const own = readJsonFile(folder, SETTINGS) ?? {}
    return Object.assign({}, ...this.#workspaces.map(({ settings }) => settings), own)
  }
}
