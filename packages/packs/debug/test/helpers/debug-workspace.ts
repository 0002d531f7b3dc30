/** A workspace with files, and the whole pack on it; nothing is left of either after each test. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Call, JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach } from 'vitest'
import { createDebugPack } from '../../src/create-debug-pack.ts'
import { type Answer, callPack, OWNER } from './output-pack.ts'

export interface DebugWorkspace {
  readonly root: string
  call(name: string, args?: JsonObject, call?: Partial<Call>): Promise<Answer>
  write(path: string, text: string): Promise<void>
}

const open: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

export async function createDebugWorkspace(files: Readonly<Record<string, string>>): Promise<DebugWorkspace> {
  const folder = await createTemporaryDirectory('switchboard-workspace-')
  open.push(() => folder.remove())
  const pack = createDebugPack({ log: createMemoryLogger(), strict: true })
  open.push(() => pack.close())
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  const caller: Call['caller'] = { era: 'legacy', capabilities: {}, instance: OWNER, workspace: folder.path }
  return {
    root: folder.path,
    write,
    call: (name, args = {}, call = {}) => callPack(pack, name, args, { caller, ...call }),
  }
}

/** The line that has the mark in it, from 1. */
export function lineOf(text: string, mark: string): number {
  const index = text.split('\n').findIndex((line) => line.includes(mark))
  if (index === -1) throw new Error(`no line has ${mark}`)
  return index + 1
}
