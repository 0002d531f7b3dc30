/** The pack at work on folders of a test; all of it is gone when the test is over. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { openSqliteStore } from '@switchboard/store'
import { createMemoryLogger } from '@switchboard/telemetry'
import { callPack, createCall, createTemporaryDirectory, INSTANCE, type Reading } from '@switchboard/testkit'
import { NO_SERVICES, type PackInstance, type PackServices, type PackStore } from '@switchboard/toolkit'
import { afterEach } from 'vitest'
import type { Config } from '../../src/config.ts'
import { openPack } from '../../src/open-pack.ts'

const DEFAULTS: Config = {
  enabled: true,
  watch: true,
  threads: 2,
  maxFiles: 10_000,
  maxFileSize: 5_000_000,
  playsetModes: ['ck3lens'],
  exclude: [],
}

export interface Lens {
  readonly pack: PackInstance
  call(name: string, args?: JsonObject, workspace?: string, instance?: string): Promise<Reading>
}

export interface LensBench {
  folder(files: Readonly<Record<string, string>>): Promise<string>
  /** A place for an index. */
  place(): Promise<string>
  /** `isStored`: with a real store, for what is kept for good. */
  open(options?: {
    isStored?: boolean

    config?: Partial<Config>
    cache?: string
    services?: Partial<PackServices>
    workspace?: string
  }): Promise<Lens>
}

export function useLens(): LensBench {
  const undo: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })
  const place = async (): Promise<string> => {
    const directory = await createTemporaryDirectory('switchboard-lens-')
    undo.push(() => directory.remove())
    return directory.path
  }
  const openStore = async (): Promise<PackStore> => {
    const store = await openSqliteStore({ file: join(await place(), 'store.db') })
    undo.push(() => store.close())
    return {
      isEmpty: () => false,
      describe: () => store.status().then((status) => ({ ...status, state: 'open' })),
      space: (name) => store.space(`lens_${name}`),
    }
  }
  return {
    place,
    async folder(files) {
      const path = await place()
      await writeFiles(path, files)
      return path
    },
    async open({ config, cache, services, workspace: own, isStored = false } = {}) {
      const context = {
        log: createMemoryLogger(),
        clock: systemClock,
        folders: { cache: cache ?? (await place()) },
        store: isStored ? await openStore() : { isEmpty: () => true, describe: unused, space: unused },
        services: { ...NO_SERVICES, ...services },
      }
      const pack = openPack(context, { ...DEFAULTS, ...config }, { strict: true })
      undo.push(() => pack.close())
      return {
        pack,
        call: (name, args = {}, workspace = own, instance = INSTANCE) =>
          callPack(
            pack,
            name,
            args,
            createCall({ caller: { instance, ...(workspace === undefined ? {} : { workspace }) } }),
          ),
      }
    },
  }
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function unused(): Promise<never> {
  throw new Error('The lens keeps nothing in the store')
}
