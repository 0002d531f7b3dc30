import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_QUICK_START, prepareQuickStart, type QuickStart } from '../../../src/dap/engines/lldb-quick-start.ts'

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await createTemporaryDirectory('switchboard-quick-')
  await mkdir(directory.file('bin'))
  await writeFile(directory.file('bin/lldb-dap'), '')
})
afterEach(() => directory.remove())

function prepare(environment: Record<string, string> = {}, folder = directory.file('cache/lldb')): Promise<QuickStart> {
  return prepareQuickStart({ folder, adapter: directory.file('bin/lldb-dap'), environment })
}

describe.runIf(process.platform === 'linux')('a quick start of lldb', () => {
  test('puts the hook before what the person has on the path of Python, which the program gets back', async () => {
    const folder = directory.file('cache/lldb')
    const quick = await prepare({ PYTHONPATH: '/home/you/modules' })
    expect(quick.env).toEqual({ PYTHONPATH: `${folder}${delimiter}/home/you/modules` })
    expect(quick.programEnv).toEqual({ PYTHONPATH: '/home/you/modules' })
    expect(quick.commands).toEqual(['settings set target.unset-env-vars PYTHONPATH'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('lets lldb find its Python module behind the hook, and without a folder for the hook too', async () => {
    const modules = directory.file('lib/python3.11/dist-packages')
    await mkdir(join(modules, 'lldb'), { recursive: true })
    await writeFile(join(modules, 'lldb/__init__.py'), '')
    expect((await prepare()).env.PYTHONPATH).toBe([directory.file('cache/lldb'), modules].join(delimiter))
    const adapter = directory.file('bin/lldb-dap')
    expect(
      await prepareQuickStart({ folder: undefined, adapter, environment: { PYTHONPATH: '/home/you/modules' } }),
    ).toEqual({
      env: { PYTHONPATH: `${modules}${delimiter}/home/you/modules` },
      commands: ['settings set target.unset-env-vars PYTHONPATH'],
      programEnv: { PYTHONPATH: '/home/you/modules' },
    })
  })

  test('writes a file again only when it is not what it should be', async () => {
    const hook = directory.file('cache/lldb/usercustomize.py')
    await prepare()
    const [text, { ino }] = [await readFile(hook, 'utf8'), await stat(hook)]
    await prepare()
    expect((await stat(hook)).ino).toBe(ino)
    await writeFile(hook, 'of an older version')
    await prepare()
    expect(await readFile(hook, 'utf8')).toBe(text)
  })

  test('takes a server that the person has chosen, or none where there is none beside the adapter', async () => {
    expect((await prepare()).env).not.toHaveProperty('LLDB_DEBUGSERVER_PATH')
    await writeFile(directory.file('bin/lldb-server'), '')
    const chosen = await prepare({ LLDB_DEBUGSERVER_PATH: '/home/you/lldb-server' })
    expect(chosen.env).not.toHaveProperty('LLDB_DEBUGSERVER_PATH')
    expect(chosen.commands.join()).not.toContain('LLDB_DEBUGSERVER_PATH')
  })

  test('does without what a folder with a colon in its name cannot give', async () => {
    expect((await prepare({}, directory.file('a:b'))).env).not.toHaveProperty('PYTHONPATH')
  })

  test('is done without where nothing can be written', async () => {
    await writeFile(directory.file('cache'), 'a file in the place of the folder')
    expect(await prepare()).toEqual(NO_QUICK_START)
    await rm(directory.file('cache'))
    expect(await prepare({}, join(directory.path, 'cache/lldb'))).not.toEqual(NO_QUICK_START)
  })
})
