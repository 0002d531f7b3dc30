import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WorkspacePaths } from '../../src/workspace/workspace-paths.ts'

describe('paths', () => {
  let directory: TemporaryDirectory
  let paths: WorkspacePaths

  beforeEach(async () => {
    directory = await createTemporaryDirectory()
    await mkdir(directory.file('work/src'), { recursive: true })
    await mkdir(directory.file('outside'))
    await writeFile(directory.file('work/src/app.js'), '')
    await writeFile(directory.file('outside/other.js'), '')
    await symlink(directory.file('work'), directory.file('link'))
    await symlink(directory.file('outside'), directory.file('work/exit'))
    paths = new WorkspacePaths(directory.file('work'))
  })
  afterEach(() => directory.remove())

  test('in the workspace are shown relative to it, others by their name only', () => {
    expect(paths.show(join(paths.root, 'src', 'app.js'))).toBe('src/app.js')
    expect(paths.show(directory.file('outside/other.js'))).toBe('<outside>/other.js')
    expect(paths.show('node:internal/modules')).toBe('node:internal/modules')
  })

  test('of a workspace behind a link are those of the real one, which engines tell', () => {
    const linked = new WorkspacePaths(directory.file('link'))
    expect(linked.root).toBe(paths.root)
    expect(linked.resolveFile(directory.file('link/src/app.js'))).toBe(join(paths.root, 'src', 'app.js'))
    expect(linked.show(directory.file('link/src/app.js'))).toBe('src/app.js')
  })

  test('that are no files are refused', () => {
    expect(() => paths.resolveFile('src')).toThrow(/no file src/)
    expect(() => paths.resolveFile('gone.js')).toThrow(expect.objectContaining({ code: 'E_FILE_NOT_FOUND' }))
  })

  test.each(['../outside/x', 'src/../../x', 'exit/x', 'exit/new/x'])('nothing is written to %s', (path) => {
    expect(() => paths.resolveForWriting(path)).toThrow(expect.objectContaining({ code: 'E_OUTSIDE_WORKSPACE' }))
  })

  test('below the workspace may be written, also in folders that are not there yet', () => {
    expect(paths.resolveForWriting('new/deep/x.jsonl')).toBe(join(paths.root, 'new', 'deep', 'x.jsonl'))
  })

  test('with the separators of Windows are understood, unless a file is called so', async () => {
    expect(paths.resolveFile('src\\app.js')).toBe(join(paths.root, 'src', 'app.js'))
    if (process.platform === 'win32') return
    await writeFile(directory.file('work/src\\app.js'), '')
    expect(paths.resolveFile('src\\app.js')).toBe(join(paths.root, 'src\\app.js'))
  })

  test('in a text are relative wherever they begin, and nothing else is touched', () => {
    const { root } = paths
    const file = join(root, 'src', 'app.js')
    expect(paths.showIn(`File "${file}", line 3`)).toBe(`File "${join('src', 'app.js')}", line 3`)
    expect(paths.showIn(`at ${pathToFileURL(file).href}:1:2`)).toBe('at src/app.js:1:2')
    for (const text of [`cwd ${root}`, `/other${root}/x`, `${root}-old/x`, 'src/app.js'])
      expect(paths.showIn(text)).toBe(text)
    expect(new WorkspacePaths('/').showIn('/etc/hosts')).toBe('/etc/hosts')
  })
})
