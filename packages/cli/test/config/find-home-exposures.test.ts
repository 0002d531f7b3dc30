import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { switchboardFile } from '@switchboard/daemon/configuration'
import type { ServerConfig } from '@switchboard/pool'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeExposure, findHomeExposures } from '../../src/config/find-home-exposures.ts'

let folder: TemporaryDirectory
let home: { directory: string; configFile: string; servers: string; userHome: string }

beforeEach(async () => {
  folder = await createTemporaryDirectory()
  const directory = folder.file('me', '.switchboard')
  const servers = folder.file('me', '.switchboard', 'servers')
  home = {
    directory,
    configFile: folder.file('me', '.switchboard', 'config.json'),
    servers,
    userHome: folder.file('me'),
  }
  await mkdir(folder.file('me', '.switchboard', 'servers', 'x'), { recursive: true })
  await mkdir(folder.file('me', 'work', 'deep'), { recursive: true })
  await writeFile(home.configFile, '{}')
})
afterEach(() => folder.remove())

function keysOf(entry: object): string[] {
  return findHomeExposures(createServer(entry), home).map(({ key }) => key)
}

function createServer(entry: object): ServerConfig {
  const [server] = switchboardFile.check({ mcpServers: { x: { command: 'files', ...entry } } }).servers
  if (server === undefined) throw new Error('There is no server')
  return server
}

describe('a server that is given our home', () => {
  test('by an argument is told of, however it is written', async () => {
    await symlink(home.directory, folder.file('me', 'work', 'link'))
    const { directory, userHome } = home
    for (const text of [
      directory,
      userHome,
      '/',
      '~',
      '~/.switchboard/config.json',
      '..',
      '../..',
      '../../../work/../.switchboard',
      `--root=${directory}`,
      `type=bind,src=${userHome},dst=/data`,
      `${userHome}:/data:ro`,
      `file://${directory}`,
      `serve --in ${directory} --verbose`,
      folder.file('me', 'work', 'link'),
    ]) {
      expect([text, keysOf({ args: ['-y', text] })]).toEqual([text, ['args[1]']])
    }
  })

  test('by its folder or its environment is told of as well', () => {
    const { directory, userHome } = home
    expect(keysOf({ cwd: userHome })).toEqual(['cwd'])
    expect(keysOf({ cwd: folder.file('me', 'work'), args: ['..'] })).toEqual(['args[0]'])
    expect(keysOf({ env: { ROOTS: `${folder.file('me', 'work')},${directory}`, HOME: userHome } })).toEqual([
      'env.ROOTS',
    ])
  })

  test('by the way to a configuration elsewhere is told of', async () => {
    home = { ...home, configFile: folder.file('me', 'work', 'sb.json') }
    await writeFile(home.configFile, '{}')
    expect(keysOf({ args: [folder.file('me', 'work')] })).toEqual(['args[0]'])
    expect(keysOf({ args: [folder.file('me', 'work', 'deep')] })).toEqual([])
  })
})

test('a server with folders of its own is passed over', () => {
  const work = folder.file('me', 'work')
  for (const entry of [
    { args: ['.', './data', 'servers', '-y', '--port=80', 'a b', '', 'https://example.com/', folder.file('nowhere')] },
    { args: [work], cwd: work, env: { ROOT: work } },
    { command: undefined, url: 'https://example.com/' },
  ]) {
    expect(keysOf(entry)).toEqual([])
  }
})

test('it is told in one sentence what leads where', () => {
  const server = createServer({ args: ['~'] })
  const [exposure] = findHomeExposures(server, home)
  if (exposure === undefined) throw new Error('It was not found')
  expect(describeExposure(server, exposure).replaceAll(folder.path, '')).toBe(
    "x may reach what is Switchboard's own: its args[0] leads to /me, which holds /me/.switchboard. Whoever uses its tools could read tokens there and write the commands that are run",
  )
})
