import { chmodSync, writeFileSync } from 'node:fs'
import { catchRejection, createTemporaryDirectory } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EditorProcess, findNode } from '../../src/command/find-node.ts'

const NEW: EditorProcess = { execPath: '/opt/editor', versions: { node: '22.19.0' }, hasSqlite: true }
const OLD: EditorProcess = { ...NEW, versions: { node: '22.17.1' } }

/** A folder with a program of that name which says that version. */
async function folderWith(version: string, name = 'node'): Promise<{ folder: string; file: string }> {
  const directory = await createTemporaryDirectory('switchboard-node-')
  onTestFinished(() => directory.remove())
  const file = directory.file(name)
  writeFileSync(file, `#!/bin/sh\necho ${version}\n`)
  chmodSync(file, 0o755)
  return { folder: directory.path, file }
}

describe.skipIf(process.platform === 'win32')('what runs the command (its stand-ins are shell scripts)', () => {
  test('is the Node on the PATH, where it is new enough', async () => {
    const { folder, file } = await folderWith('v24.1.0')
    const found = await findNode({ named: '', env: { PATH: folder }, editor: OLD })
    expect(found).toEqual({ file, env: {}, version: '24.1.0', origin: 'path' })
  })

  test.each(['v20.20.2', 'v22.17.0', 'v23.5.0', 'no version at all'])(
    'is the one of VS Code where that on the PATH says %s',
    async (version) => {
      const { folder } = await folderWith(version)
      const found = await findNode({ named: '', env: { PATH: folder }, editor: NEW })
      expect(found).toEqual({ file: '/opt/editor', env: {}, version: '22.19.0', origin: 'editor' })
    },
  )

  test('is a desktop VS Code only when it is told to be a Node', async () => {
    const editor = { ...NEW, versions: { node: '22.19.0', electron: '37.6.0' } }
    const found = await findNode({ named: '', env: { PATH: '/nowhere' }, editor })
    expect(found.env).toEqual({ ELECTRON_RUN_AS_NODE: '1' })
  })

  test('is the one of the settings, or nothing: never silently another', async () => {
    const { file } = await folderWith('v22.18.0')
    expect(await findNode({ named: file, env: {}, editor: OLD })).toMatchObject({ file, origin: 'setting' })
    const old = await folderWith('v18.0.0')
    const error = await catchRejection(findNode({ named: old.file, env: {}, editor: NEW }))
    expect(error).toMatchObject({ code: 'invalid_configuration', message: expect.stringContaining('is Node 18.0.0') })
  })

  test('is told with all that was tried when none will do', async () => {
    const { folder } = await folderWith('v20.0.0')
    const error = await catchRejection(findNode({ named: '', env: { PATH: folder }, editor: OLD }))
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /needs Node 22\.18 .* is Node 20\.0\.0; VS Code's own Node is 22\.17\.1, which is too old/,
      ),
      hint: expect.stringContaining('switchboard.nodePath'),
    })
    const without = await catchRejection(findNode({ named: '', env: {}, editor: { ...NEW, hasSqlite: false } }))
    expect(without).toMatchObject({ message: expect.stringContaining('has no SQLite') })
  })
})
