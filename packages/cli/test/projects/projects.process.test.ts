/** Servers of projects, for windows of those projects: real fronts, real SDK clients, a daemon that they start. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { hasTerminal, isAlive, waitFor } from '@switchboard/testkit'
import type { SdkClient } from '@switchboard/testkit/sdk'
import { describe, expect, test } from 'vitest'
import { PATIENCE } from '../front/support/front-bench.ts'
import { below, useProjects } from './project-bench.ts'

const bench = useProjects()
const { front } = bench

describe.each<SdkClient>(['v1', 'v2 pinned'])('a window (%s) in a project', PATIENCE, (client) => {
  test('gets its servers once a person trusts them, and no other window ever does', async () => {
    const [project, other] = [await bench.folder(), await bench.folder()]
    await front.configure({ mcpServers: { mine: front.fixture('mine') } })
    await bench.servers(project, { db: { type: 'stdio', ...front.fixture('db') } })
    const inside = await bench.window(project.path, client)
    const outside = await bench.window(other.path, client)
    await bench.until(inside, 'mine_echo')
    expect(inside.instructions()).toContain("1 MCP server that waits for a person's trust")
    expect(inside.instructions()).toContain(`"switchboard trust" in ${project.path}`)
    expect(outside.instructions() ?? '').not.toContain('trust')
    const status = await inside.call('switchboard_status')
    expect(JSON.stringify(status)).toContain('1 MCP server that waits')
    expect(await inside.toolNames()).not.toContain('db_echo')
    expect(await bench.starts('db')).toEqual([])

    await bench.trust(project)
    await bench.until(inside, 'db_echo')
    expect(await inside.call('db_echo', { text: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] })
    expect((await bench.environment(inside, 'db_env')).cwd).toBe(project.path)
    expect((await inside.toolNames()).includes('mine_echo')).toBe(true)
    // The other window neither sees it nor can call it, nor is told that it is there.
    expect((await outside.toolNames()).filter((tool) => tool.startsWith('db_'))).toEqual([])
    await expect(outside.call('db_echo', { text: 'x' })).rejects.toThrow('Unknown tool "db_echo"')
    expect(JSON.stringify(await outside.call('switchboard_status'))).not.toContain('db@')
    expect(await bench.starts('db')).toHaveLength(1)
  })
})

describe('servers of projects', PATIENCE, () => {
  test('of one name in two projects are two, each with its own window', async () => {
    const [one, two] = [await bench.folder(), await bench.folder()]
    await bench.servers(one, { db: front.fixture('one', { tools: [{ name: 'who', result: text('one') }] }) })
    await bench.servers(two, { db: front.fixture('two', { tools: [{ name: 'who', result: text('two') }] }) })
    const [first, second] = [await bench.window(one.path), await bench.window(two.path)]
    await Promise.all([bench.trust(one), bench.trust(two)])
    await Promise.all([bench.until(first, 'db_who'), bench.until(second, 'db_who')])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second).call('db_who')),
    )
    expect(answers.map(textOf)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 'one' : 'two')))
    expect([await bench.starts('one'), await bench.starts('two')].map(({ length }) => length)).toEqual([1, 1])
  })

  test('are those of a window in a folder below, by a link too, and one process serves both', async () => {
    const [project, links] = [await bench.folder(), await bench.folder()]
    await mkdir(below(project, '.git'))
    await mkdir(below(project, 'packages', 'web'), { recursive: true })
    await symlink(project.path, links.file('link'))
    await bench.servers(project, { db: front.fixture('db') })
    await bench.trust(project)
    const [below1, linked] = [
      await bench.window(below(project, 'packages', 'web')),
      await bench.window(links.file('link')),
    ]
    await Promise.all([bench.until(below1, 'db_echo'), bench.until(linked, 'db_echo')])
    expect((await bench.environment(below1, 'db_env')).cwd).toBe(project.path)
    await linked.call('db_echo', { text: 'x' })
    expect(await bench.starts('db')).toHaveLength(1)
  })

  test("with the name of a person's own server are told apart, and the same one is not run twice", async () => {
    const project = await bench.folder()
    const same = front.fixture('same')
    await front.configure({
      mcpServers: { db: front.fixture('mine', { tools: [{ name: 'who', result: text('mine') }] }), same },
    })
    await bench.servers(project, {
      db: front.fixture('theirs', { tools: [{ name: 'who', result: text('theirs') }] }),
      same,
    })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await bench.until(window, 'project_db_who')
    expect(textOf(await window.call('project_db_who'))).toBe('theirs')
    expect(textOf(await window.call('db_who'))).toBe('mine')
    expect((await window.toolNames()).filter((tool) => tool.endsWith('same_echo'))).toEqual(['same_echo'])
    expect(await bench.starts('same')).toHaveLength(1)
  })

  test('that are changed wait again and end; the others go on, and what is revoked ends', async () => {
    const project = await bench.folder()
    const kept = front.fixture('kept')
    await bench.servers(project, { db: front.fixture('db'), kept })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await Promise.all([bench.until(window, 'db_echo'), bench.until(window, 'kept_echo')])
    const [started] = await bench.starts('db')
    const pid = started?.pid ?? 0
    await bench.servers(project, { db: { ...front.fixture('evil'), env: { NODE_OPTIONS: '--no-warnings' } }, kept })
    await bench.untilGone(window, 'db_echo')
    await waitFor(async () => !(await isAlive(pid)), { what: 'the changed server to end' })
    expect(JSON.stringify(await window.call('switchboard_status'))).toContain('1 MCP server that waits')
    expect(await bench.starts('evil')).toEqual([])
    const shown = await bench.run(['trust'], project.path)
    expect(shown.code).toBe(2)
    expect(shown.out).toContain('has changed since you trusted it')
    expect(shown.out).toContain('+ env NODE_OPTIONS=--no-warnings')
    await bench.trust(project)
    await bench.until(window, 'db_echo')
    expect(await bench.starts('kept')).toHaveLength(1)
    expect(await bench.starts('evil')).toHaveLength(1)
    const revoked = await bench.run(['trust', 'revoke', '.'], project.path)
    expect(revoked.out).toContain('Took ')
    await Promise.all([bench.untilGone(window, 'db_echo'), bench.untilGone(window, 'kept_echo')])
    const pids = [...(await bench.starts('evil')), ...(await bench.starts('kept'))].map((start) => start.pid)
    await waitFor(async () => !(await Promise.all(pids.map(isAlive))).includes(true), { what: 'all of it to end' })
  })

  test('are there again after the daemon was killed, for the window that stayed', async () => {
    const project = await bench.folder()
    await bench.servers(project, { db: front.fixture('db') })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await bench.until(window, 'db_echo')
    const { pid } = await front.daemonInfo()
    process.kill(pid, 'SIGKILL')
    await waitFor(async () => (await front.daemonInfo().catch(() => undefined))?.pid !== pid, {
      what: 'another daemon',
      timeout: 20_000,
    })
    await bench.until(window, 'db_echo')
    expect(await window.call('db_echo', { text: 'again' })).toMatchObject({ content: [{ text: 'again' }] })
  })

  test('with the folder of the window run once for each window, in its own folder', async () => {
    const project = await bench.folder()
    await mkdir(below(project, '.git'))
    await mkdir(below(project, 'a'))
    await mkdir(below(project, 'b'))
    await bench.servers(project, { here: { ...front.fixture('here'), cwd: `\${workspace}` } })
    await bench.trust(project)
    const [one, two] = [await bench.window(below(project, 'a')), await bench.window(below(project, 'b'))]
    await Promise.all([bench.until(one, 'here_env'), bench.until(two, 'here_env')])
    expect((await bench.environment(one, 'here_env')).cwd).toBe(below(project, 'a'))
    expect((await bench.environment(two, 'here_env')).cwd).toBe(below(project, 'b'))
    const starts = await bench.starts('here')
    expect(starts).toHaveLength(2)
    await two.close()
    await waitFor(async () => (await Promise.all(starts.map(({ pid }) => isAlive(pid)))).filter(Boolean).length === 1, {
      what: 'the server of the window that left to end',
    })
  })

  test('are not for a window that reads no project, nor for callers over HTTP', async () => {
    const project = await bench.folder()
    await bench.servers(project, { db: front.fixture('db') })
    await bench.trust(project)
    const closed = await bench.window(project.path, 'v1', ['--no-project'])
    expect(closed.instructions() ?? '').not.toContain('trust')
    expect(await closed.toolNames()).not.toContain('db_echo')
    expect(await bench.starts('db')).toEqual([])
    const window = await bench.window(project.path)
    await bench.until(window, 'db_echo')
    const http = await bench.http()
    expect((await http.toolNames()).filter((tool) => tool.startsWith('db'))).toEqual([])
    await expect(http.call('db_echo', { text: 'x' })).rejects.toThrow('Unknown tool')
    expect(JSON.stringify(await http.call('switchboard_status'))).not.toContain('db@')
  })

  test("of a person's own configuration run in the folder of each window as well, and not for callers that have none", async () => {
    const [one, two] = [await bench.folder(), await bench.folder()]
    await front.configure({ mcpServers: { here: { ...front.fixture('here'), cwd: `\${workspace}` } } })
    const [first, second] = [await bench.window(one.path), await bench.window(two.path)]
    await Promise.all([bench.until(first, 'here_env'), bench.until(second, 'here_env')])
    expect((await bench.environment(first, 'here_env')).cwd).toBe(one.path)
    expect((await bench.environment(second, 'here_env')).cwd).toBe(two.path)
    // A person's folder is the one that the command is typed in.
    expect((await bench.run(['call', 'here_env'], two.path)).out).toContain(two.path)
    const http = await bench.http()
    expect(JSON.stringify(await http.call('here_env'))).toContain('[caller_unknown]')
  })

  test('get the variables of their envFile, and wait again when those change what runs', async () => {
    const project = await bench.folder()
    await writeFile(project.file('.env'), '# for the tests\nexport GREETING="hello"\nAPI_TOKEN=one\n')
    await bench.servers(project, { db: { ...front.fixture('db'), envFile: '.env' } })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await bench.until(window, 'db_env')
    const { names } = await bench.environment(window, 'db_env')
    expect(names).toEqual(expect.arrayContaining(['GREETING', 'API_TOKEN']))
    // A token is replaced without a question, and the server gets the new one.
    await writeFile(project.file('.env'), 'GREETING=hello\nAPI_TOKEN=two\n')
    await waitFor(async () => (await bench.starts('db')).length === 2, { what: 'the server with the new token' })
    await bench.until(window, 'db_env')
    await writeFile(project.file('.env'), 'GREETING=hello\nAPI_TOKEN=two\nNODE_OPTIONS=--no-warnings\n')
    await bench.untilGone(window, 'db_env')
    expect(JSON.stringify(await window.call('switchboard_status'))).toContain('waits')
    expect(await bench.starts('db')).toHaveLength(2)
  })

  test('that lack a variable say which, and start when it is kept as a secret', async () => {
    const project = await bench.folder()
    await bench.servers(project, {
      db: { ...front.fixture('db'), env: { KEY: `\${SWITCHBOARD_TEST_KEY}` } },
      ok: front.fixture('ok'),
    })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await bench.until(window, 'ok_echo')
    const status = JSON.stringify(await window.call('switchboard_status'))
    expect(status).toContain('the variable SWITCHBOARD_TEST_KEY is not set')
    expect(status).toContain('switchboard secret set SWITCHBOARD_TEST_KEY')
    const set = await setSecret(project.path, 'SWITCHBOARD_TEST_KEY', 'a-very-secret-value')
    expect(set).toMatchObject({ code: 0, err: '' })
    expect(set.out).not.toContain('very-secret')
    await bench.until(window, 'db_env')
    expect((await bench.environment(window, 'db_env')).names).toContain('KEY')
    const listed = await bench.run(['secret', 'list'], project.path)
    expect(listed.out).toBe('SWITCHBOARD_TEST_KEY\n')
    expect((await bench.run(['secret', 'delete', 'SWITCHBOARD_TEST_KEY'], project.path)).code).toBe(0)
    await bench.untilGone(window, 'db_env')
  })

  test.skipIf(!hasTerminal())(
    'are let in by a yes at the terminal, which asks for what they lack without showing it',
    async () => {
      const project = await bench.folder()
      await bench.servers(project, { db: { ...front.fixture('db'), env: { KEY: `\${SWITCHBOARD_TEST_KEY}` } } })
      const window = await bench.window(project.path)
      const { code, text: shown } = await bench.onTerminal(['trust'], project.path, [
        ['[y/N]', 'y\r'],
        ['SWITCHBOARD_TEST_KEY is not set', 'hidden-value\r'],
      ])
      expect(shown).toContain('waits for you')
      expect(shown).toContain('uses your variables SWITCHBOARD_TEST_KEY')
      expect(shown).toContain('Kept SWITCHBOARD_TEST_KEY.')
      expect(shown).not.toContain('hidden-value')
      expect(shown).not.toContain('does not run')
      expect(code).toBe(0)
      await bench.until(window, 'db_env')
    },
  )

  test('go on while their file is wrong, and whoever is there is told', async () => {
    const project = await bench.folder()
    await bench.servers(project, { db: front.fixture('db') })
    const window = await bench.window(project.path)
    await bench.trust(project)
    await bench.until(window, 'db_echo')
    await writeFile(project.file('.mcp.json'), '{ "mcpServers": { "db": ')
    await waitFor(async () => JSON.stringify(await window.call('switchboard_status')).includes('is wrong'), {
      what: 'the window to be told',
    })
    expect(await window.call('db_echo', { text: 'on' })).toMatchObject({ content: [{ text: 'on' }] })
    const shown = await bench.run(['trust', '--json'], project.path)
    expect(JSON.parse(shown.out).problems).toEqual([expect.stringContaining('.mcp.json: line 1')])
    await writeFile(project.file('.mcp.json'), '{}')
    await bench.untilGone(window, 'db_echo')
  })
})

function setSecret(cwd: string, name: string, value: string) {
  return bench.pipe(['secret', 'set', name], `${value}\n`, cwd)
}

function text(of: string) {
  return { content: [{ type: 'text', text: of }] }
}

function textOf(result: unknown): string {
  return (result as { content: [{ text: string }] }).content[0].text
}
