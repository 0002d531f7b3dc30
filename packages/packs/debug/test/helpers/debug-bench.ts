/** A pack with a workspace of its own; every session is ended after each test, and nothing of it may be left. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Call, type CallToolResult, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach } from 'vitest'
import { createDebugPack, type DebugPack, type DebugPackOptions } from '../../src/create-debug-pack.ts'

export interface Reading {
  readonly text: string
  readonly isError: boolean
  readonly data: JsonObject
  /** Empty when it succeeded. */
  readonly code: string
  readonly error: JsonObject
}

export interface CallRest {
  readonly signal?: AbortSignal
  readonly instance?: string
  /** False: nobody told which one. */
  readonly hasWorkspace?: boolean
}

export interface DebugBench {
  readonly workspace: string
  readonly log: MemoryLogger
  readonly pack: DebugPack
  /** Relative to the workspace. */
  write(path: string, text: string): Promise<void>
  call(tool: string, args?: JsonObject, rest?: CallRest): Promise<Reading>
  /** In place of the one that the test began with. */
  open(options: Partial<DebugPackOptions>): DebugPack
}

export const INSTANCE = 'tt79-6f854d'

export function useDebugBench(options: Partial<DebugPackOptions> = {}): DebugBench {
  const leaks = createLeakCheck({ timeout: 15_000 })
  let directory: TemporaryDirectory
  let log: MemoryLogger
  let pack: DebugPack
  const packs: DebugPack[] = []

  beforeEach(async () => {
    directory = await createTemporaryDirectory('switchboard-debug-')
    log = createMemoryLogger()
    await leaks.begin()
    bench.open(options)
  })
  afterEach(async () => {
    await Promise.all(packs.splice(0).map((one) => one.close()))
    await leaks.check()
    await directory.remove()
  })

  const bench: DebugBench = {
    get workspace() {
      return directory.path
    },
    get log() {
      return log
    },
    get pack() {
      return pack
    },
    async write(path, text) {
      const file = directory.file(path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    },
    async call(
      tool,
      args = {},
      { signal = new AbortController().signal, instance = INSTANCE, hasWorkspace = true } = {},
    ) {
      const call: Call = {
        id: '1',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        signal,
        caller: {
          era: 'legacy',
          capabilities: {},
          instance,
          ...(hasWorkspace ? { workspace: directory.path } : {}),
        },
      }
      // A pack's answer to tools/call is always one.
      return read((await pack.request('tools/call', { name: tool, arguments: args }, call)) as CallToolResult)
    },
    open(given) {
      pack = createDebugPack({ log, strict: true, ...options, ...given })
      packs.push(pack)
      return pack
    },
  }
  return bench
}

function read(result: CallToolResult): Reading {
  const [block] = result.content
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const error = isJsonObject(envelope.error) ? envelope.error : {}
  return {
    text: typeof block?.text === 'string' ? block.text : '',
    isError: result.isError === true,
    data: isJsonObject(envelope.data) ? envelope.data : {},
    code: typeof error.code === 'string' ? error.code : '',
    error,
  }
}
