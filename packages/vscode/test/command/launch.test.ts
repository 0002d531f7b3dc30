import { expect, test } from 'vitest'
import { createLaunch, isSameLaunch, type LaunchOptions } from '../../src/command/launch.ts'

const OPTIONS: LaunchOptions = {
  node: { file: '/bin/node', env: {} },
  program: '/ext/switchboard.mjs',
  instance: 'tt79-6f854d',
  folders: ['/home/you/one', '/home/you/two'],
  userHome: '/home/me',
  home: '',
  profile: '',
  isTrusted: true,
}

test('a front belongs to the first folder of its window, and has its id', () => {
  expect(createLaunch(OPTIONS)).toEqual({
    command: '/bin/node',
    args: ['/ext/switchboard.mjs', 'mcp', '--workspace', '/home/you/one'],
    cwd: '/home/you/one',
    env: { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d' },
  })
})

test('a window without a folder names none, and is started where a front takes itself to have none', () => {
  const { args, cwd } = createLaunch({ ...OPTIONS, folders: [] })
  expect({ args, cwd }).toEqual({ args: ['/ext/switchboard.mjs', 'mcp'], cwd: '/home/me' })
})

test('settings reach the front, and those of the Node as well', () => {
  const node = { file: '/opt/editor', env: { ELECTRON_RUN_AS_NODE: '1' } }
  const { args, env } = createLaunch({ ...OPTIONS, node, home: '/elsewhere', profile: 'small' })
  expect(args.slice(-2)).toEqual(['--profile', 'small'])
  expect(env).toMatchObject({ ELECTRON_RUN_AS_NODE: '1', SWITCHBOARD_HOME: '/elsewhere' })
})

test('a window that is not trusted reads nothing that its folder configures', () => {
  expect(createLaunch({ ...OPTIONS, isTrusted: false }).args).toContain('--no-project')
  expect(isSameLaunch(createLaunch(OPTIONS), createLaunch({ ...OPTIONS, isTrusted: false }))).toBe(false)
})

test('a further root is no other launch, but another first one is', () => {
  const launch = createLaunch(OPTIONS)
  expect(isSameLaunch(launch, createLaunch({ ...OPTIONS, folders: ['/home/you/one'] }))).toBe(true)
  expect(isSameLaunch(launch, createLaunch({ ...OPTIONS, folders: ['/home/you/two', '/home/you/one'] }))).toBe(false)
})
