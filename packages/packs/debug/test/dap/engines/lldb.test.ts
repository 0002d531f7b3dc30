import { writeFile } from 'node:fs/promises'
import { OrphanGuard } from '@switchboard/process'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLldbSpec } from '../../../src/dap/engines/lldb.ts'

let folder: TemporaryDirectory
beforeEach(async () => {
  folder = await createTemporaryDirectory()
  vi.stubEnv('PATH', folder.path)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await folder.remove()
})

const create = (name: string): Promise<void> => writeFile(folder.file(name), '', { mode: 0o755 })
const locate = () => createLldbSpec({ guard: new OrphanGuard() }).locate()

test('the newest lldb is taken, an older one beside it or not', async () => {
  await create('lldb-vscode-14')
  await create('lldb-dap-18')
  await create('lldb-dap-19')
  expect(await locate()).toEqual({ found: true, what: folder.file('lldb-dap-19') })
})

test('an lldb before 18 in its place is refused, with the reason and what to install', async () => {
  await create('lldb-vscode-14')
  const located = await locate()
  expect(located).toEqual({ found: false, install: expect.stringContaining('lldb') })
  const reason = `${folder.file('lldb-vscode-14')} is of an lldb before 18, which does not say why a program stopped`
  expect(located).toEqual({ found: false, install: expect.stringContaining(reason) })
})

test('where there is none, what to install is all that is said', async () => {
  expect(await locate()).toEqual({ found: false, install: expect.not.stringContaining('before 18') })
})
