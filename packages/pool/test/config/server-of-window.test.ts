import { WORKSPACE_MARK } from '@switchboard/config/text'
import { describe, expect, test } from 'vitest'
import { checkPoolConfig } from '../../src/config/pool-config.ts'
import { createServerOfWindow } from '../../src/config/server-of-window.ts'

function read(entry: object, readText?: (path: string) => string) {
  const { servers, misconfigured } = checkPoolConfig(
    { mcpServers: { s: { command: 'x', ...entry } } },
    {
      env: { HOME: '/home/me', NAME: 'outer' },
      baseDirectory: '/base',
      wrongEntries: 'settle',
      ...(readText === undefined ? {} : { readText }),
    },
  )
  return { server: servers[0], reason: misconfigured[0]?.reason }
}

describe(`\${workspace}`, () => {
  test('makes a server each window’s own, and becomes its folder', () => {
    const { server } = read({
      cwd: `\${workspace}/sub`,
      args: [`--root=\${workspace}`, `$\${workspace}`],
      env: { W: `\${workspace}` },
    })
    expect(server).toMatchObject({ shared: false, isPerWindow: true, cwd: `${WORKSPACE_MARK}/sub` })
    if (server === undefined) throw new Error('it is wrong')
    expect(createServerOfWindow(server, '/w/$&')).toMatchObject({
      cwd: '/w/$&/sub',
      args: ['--root=/w/$&', `\${workspace}`],
      env: { W: '/w/$&' },
    })
  })

  test('is never taken from the environment, and what a variable holds is not read again', () => {
    const { servers } = checkPoolConfig(
      { mcpServers: { s: { command: 'x', args: [`\${A}`, `\${workspace}`] } } },
      { env: { A: `\${workspace}`, workspace: '/elsewhere' } },
    )
    expect(servers[0]).toMatchObject({ args: [`\${workspace}`, WORKSPACE_MARK] })
  })

  test.each([
    ['command', { command: `\${workspace}/x` }],
    ['url', { command: undefined, url: `http://x/\${workspace}` }],
    ['headers', { command: undefined, url: 'http://x', headers: { A: `\${workspace}` } }],
  ])('in %s is refused with the place where it may stand', (_key, entry) => {
    expect(read(entry).reason).toContain('"cwd", "args" and "env" of a local server only')
  })

  test('and a server that says it is shared contradict each other', () => {
    expect(read({ cwd: `\${workspace}`, shared: true }).reason).toContain("each window's own")
  })
})

describe('an envFile', () => {
  test('gives a local server its variables, below those of env, and stands for names before the environment', () => {
    const seen: string[] = []
    const { server } = read({ args: [`\${NAME}`, `\${HOME}`], env: { B: 'own' }, envFile: '.env' }, (path) => {
      seen.push(path)
      return 'NAME=inner\nB=file\nC=3\n'
    })
    expect(seen).toEqual(['/base/.env'])
    expect(server).toMatchObject({ args: ['inner', '/home/me'], env: { NAME: 'inner', B: 'own', C: '3' } })
  })

  test('may be named by a remote server for its headers', () => {
    const entry = { command: undefined, url: 'https://x', headers: { Authorization: `Bearer \${T}` }, envFile: '.env' }
    expect(read(entry, () => 'T=secret').server).toMatchObject({ headers: { Authorization: 'Bearer secret' } })
  })

  test('that is not there, or holds a wrong line, makes that one server misconfigured, with its name', () => {
    const missing = read({ envFile: 'gone.env', args: [`\${UNKNOWN}`] }, () => {
      throw new Error('is not there')
    })
    expect(missing.server).toBeUndefined()
    expect(missing.reason).toContain('mcpServers.s.envFile: the file "gone.env" is not there')
    expect(missing.reason).not.toContain('UNKNOWN')
    const wrong = read({ envFile: '.env' }, () => 'A=1\npassword hunter2\n').reason
    expect(wrong).toContain('the file ".env" is not NAME=value in line 2')
    expect(wrong).not.toContain('hunter2')
  })

  test('of a server that is switched off is not opened', () => {
    const { server } = read({ envFile: '.env', enabled: false }, () => {
      throw new Error('it was opened')
    })
    expect(server).toMatchObject({ enabled: false })
  })
})
