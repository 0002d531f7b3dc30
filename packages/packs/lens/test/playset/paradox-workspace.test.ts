import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { isParadoxWorkspace } from '../../src/playset/paradox-workspace.ts'

async function judge(files: readonly string[], folder = '.'): Promise<boolean> {
  await using directory = await createTemporaryDirectory('switchboard-workspace-')
  for (const file of files) {
    await mkdir(dirname(join(directory.path, 'window', file)), { recursive: true })
    await writeFile(join(directory.path, 'window', file), '')
  }
  return isParadoxWorkspace(join(directory.path, 'window', folder))
}

it.each([
  ['a mod', ['descriptor.mod']],
  ['a mod in a folder of the window', ['My Mod/descriptor.mod']],
  ['the game', ['game/common/traits/00_traits.txt', 'game/events/a.txt']],
  ['the list of a mod', ['mine.mod']],
  ['what the launcher keeps', ['launcher-v2.sqlite']],
])('knows %s', async (_what, files) => {
  expect(await judge(files)).toBe(true)
})

it('knows a part of a mod', async () => {
  expect(await judge(['descriptor.mod', 'common/traits/a.txt'], 'common/traits')).toBe(true)
})

it('takes nothing else for one: a project with such folders, a module of Go, one that is not there', async () => {
  expect(await judge(['package.json'])).toBe(false)
  expect(await judge(['common/index.ts'])).toBe(false)
  expect(await judge(['go.mod'])).toBe(false)
  expect(await judge(['package.json'], 'not-there')).toBe(false)
})
