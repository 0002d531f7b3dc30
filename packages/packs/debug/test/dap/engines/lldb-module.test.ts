import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findLldbModule } from '../../../src/dap/engines/lldb-module.ts'

let folder: TemporaryDirectory
beforeEach(async () => {
  folder = await createTemporaryDirectory()
})
afterEach(() => folder.remove())

async function create(path: string): Promise<string> {
  await mkdir(dirname(folder.file(path)), { recursive: true })
  await writeFile(folder.file(path), '')
  return folder.file(path)
}

test('the module of Debian is found below the prefix that the program on the path is a link into', async () => {
  const adapter = await create('lib/llvm-14/bin/lldb-vscode')
  // Debian 12 has a folder of the same name without the module, for its library alone.
  await create('lib/llvm-14/lib/python3/dist-packages/lldb/_lldb.so')
  await create('lib/llvm-14/lib/python3.11/dist-packages/lldb/__init__.py')
  await mkdir(folder.file('bin'))
  await symlink(adapter, folder.file('bin/lldb-vscode-14'))
  expect(await findLldbModule(folder.file('bin/lldb-vscode-14'))).toBe(
    folder.file('lib/llvm-14/lib/python3.11/dist-packages'),
  )
})

test('of several that of the newest Python is taken', async () => {
  const adapter = await create('bin/lldb-dap')
  for (const python of ['python3', 'python3.9', 'python3.12', 'python2.7']) {
    await create(`lib/${python}/site-packages/lldb/__init__.py`)
  }
  expect(await findLldbModule(adapter)).toBe(folder.file('lib/python3.12/site-packages'))
})

test('none is found where there is none', async () => {
  expect(await findLldbModule(await create('bin/lldb-dap'))).toBeUndefined()
  await create('lib/python3.12/site-packages/other/__init__.py')
  expect(await findLldbModule(folder.file('bin/lldb-dap'))).toBeUndefined()
})
