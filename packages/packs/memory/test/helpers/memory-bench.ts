/** The pack on a real store, and one way to call its tools. */
import { systemClock } from '@switchboard/base'
import { readFallbacks } from '@switchboard/config'
import type { Call, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { openSqliteStore } from '@switchboard/store'
import { createMemoryLogger } from '@switchboard/telemetry'
import { callPack, createCall, createTemporaryDirectory, type Reading } from '@switchboard/testkit'
import { NO_SERVICES, type PackInstance, type PackServices } from '@switchboard/toolkit'
import { type Config, config as section } from '../../src/config.ts'
import { openPack } from '../../src/open-pack.ts'

export interface MemoryBench extends AsyncDisposable {
  readonly pack: PackInstance
  /** A temporary folder: make projects below it. */
  readonly folder: string
  /** By a window of that folder; undefined: one that has told none. */
  call(name: string, args?: JsonObject, workspace?: string, call?: Partial<Call>): Promise<Reading>
  /** Closes the pack, and opens one on what it kept. */
  reopen(): Promise<void>
}

export interface BenchOptions {
  readonly config?: Partial<Config>
  readonly services?: Partial<PackServices>
  /** Whatever asks the store is refused. */
  readonly isStoreDown?: boolean
}

export async function openMemoryBench({
  config = {},
  services = {},
  isStoreDown = false,
}: BenchOptions = {}): Promise<MemoryBench> {
  const directory = await createTemporaryDirectory()
  const store = await openSqliteStore({ file: directory.file('store.db') })
  const open = () =>
    openPack(
      {
        log: createMemoryLogger(),
        clock: systemClock,
        folders: { cache: directory.file('cache') },
        store: {
          isEmpty: () => false,
          describe: async () => ({ ...(await store.status()), state: 'open' }),
          async space(name) {
            if (isStoreDown) throw new SwitchboardError('store_unavailable', 'The store does not answer')
            return store.space(`memory_${name}`)
          },
        },
        services: { ...NO_SERVICES, ...services },
      },
      { ...readFallbacks({ ...section.fields }), ...config },
      { strict: true },
    )
  let pack = open()
  return {
    get pack() {
      return pack
    },
    folder: directory.path,
    call: (name, args, workspace, call) =>
      callPack(pack, name, args, { ...createCall({ caller: workspace === undefined ? {} : { workspace } }), ...call }),
    async reopen() {
      await pack.close()
      pack = open()
    },
    async [Symbol.asyncDispose]() {
      await pack.close()
      await store.close()
      await directory.remove()
    },
  }
}
