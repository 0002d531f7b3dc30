/** Workspaces with the whole pack on them; every session is ended after each test, and nothing of it may be left. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import {
  callPack,
  createLeakCheck,
  createTemporaryDirectory,
  INSTANCE,
  type Reading,
  type TemporaryDirectory,
} from '@switchboard/testkit'
import type { PackInstance } from '@switchboard/toolkit'
import { afterEach, beforeEach } from 'vitest'
import { createDebugPack, type DebugPackOptions } from '../../src/create-debug-pack.ts'

export interface CallRest {
  readonly signal?: AbortSignal
  readonly instance?: string
  /** False: nobody told which one. */
  readonly hasWorkspace?: boolean
  /** Of the agent's window. */
  readonly env?: Readonly<Record<string, string>>
}

export interface DebugWorkspace {
  readonly root: string
  /** Relative to the workspace. */
  write(path: string, text: string): Promise<void>
  call(tool: string, args?: JsonObject, rest?: CallRest): Promise<Reading>
}

export interface DebugBench {
  /** The folder that every test begins with. */
  readonly workspace: string
  readonly log: MemoryLogger
  readonly pack: PackInstance
  write: DebugWorkspace['write']
  call: DebugWorkspace['call']
  /** In place of the pack that the test began with. */
  open(options: Partial<DebugPackOptions>): PackInstance
  /** One more, with a pack of its own. */
  createWorkspace(files: Readonly<Record<string, string>>): Promise<DebugWorkspace>
}

export function useDebugBench(options: Partial<DebugPackOptions> = {}): DebugBench {
  const leaks = createLeakCheck()
  const folders: TemporaryDirectory[] = []
  const packs: PackInstance[] = []
  let log: MemoryLogger
  let first: DebugWorkspace
  let pack: PackInstance

  beforeEach(async () => {
    log = createMemoryLogger()
    await leaks.begin()
    bench.open({})
    first = await openWorkspace(() => pack)
  })
  afterEach(async () => {
    await Promise.all(packs.splice(0).map((one) => one.close()))
    await leaks.check()
    await Promise.all(folders.splice(0).map((folder) => folder.remove()))
  })

  function openPack(given: Partial<DebugPackOptions>): PackInstance {
    const opened = createDebugPack({ log, strict: true, ...options, ...given })
    packs.push(opened)
    return opened
  }

  async function openWorkspace(packOf: () => PackInstance): Promise<DebugWorkspace> {
    const folder = await createTemporaryDirectory('switchboard-debug-')
    folders.push(folder)
    return {
      root: folder.path,
      async write(path, text) {
        const file = folder.file(path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, text)
      },
      call(tool, args = {}, { signal, instance = INSTANCE, hasWorkspace = true, env } = {}) {
        const workspace = hasWorkspace ? { workspace: folder.path } : {}
        const environment = env === undefined ? {} : { environment: () => env }
        return callPack(packOf(), tool, args, {
          ...(signal === undefined ? {} : { signal }),
          caller: { era: 'legacy', capabilities: {}, instance, ...workspace, ...environment },
        })
      },
    }
  }

  const bench: DebugBench = {
    get workspace() {
      return first.root
    },
    get log() {
      return log
    },
    get pack() {
      return pack
    },
    write: (path, text) => first.write(path, text),
    call: (tool, args, rest) => first.call(tool, args, rest),
    open(given) {
      pack = openPack(given)
      return pack
    },
    async createWorkspace(files) {
      const own = openPack({})
      const workspace = await openWorkspace(() => own)
      for (const [path, text] of Object.entries(files)) await workspace.write(path, text)
      return workspace
    },
  }
  return bench
}

/** The line that has the mark in it, from 1. */
export function lineOf(text: string, mark: string): number {
  const index = text.split('\n').findIndex((line) => line.includes(mark))
  if (index === -1) throw new Error(`no line has ${mark}`)
  return index + 1
}
