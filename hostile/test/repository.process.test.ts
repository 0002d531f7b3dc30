/** A repository that a person cloned and an agent works in: links that git stores, to what never ends and to what is not its own. */
import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { createTemporaryDirectory, type LineAgent, type TemporaryDirectory, textOfAnswer } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const WITH_DEBUGGER = { packs: { debug: { enabled: true } } }
const LAUNCH = { configurations: [{ name: 'App', type: 'node', request: 'launch', program: 'app.js' }] }

let repository: TemporaryDirectory
let elsewhere: TemporaryDirectory
beforeEach(async () => {
  repository = await createTemporaryDirectory('switchboard-repository-')
  elsewhere = await createTemporaryDirectory('switchboard-person-')
})
afterEach(async () => {
  await repository.remove()
  await elsewhere.remove()
})

async function write(name: string, content: unknown): Promise<void> {
  await mkdir(dirname(repository.file(name)), { recursive: true })
  await writeFile(repository.file(name), typeof content === 'string' ? content : JSON.stringify(content))
}

async function link(target: string, name: string): Promise<void> {
  await mkdir(dirname(repository.file(name)), { recursive: true })
  await symlink(target, repository.file(name))
}

async function open(): Promise<{ target: Target; agent: LineAgent }> {
  const target = await targets.start(WITH_DEBUGGER)
  return { target, agent: await target.attach({ workspace: repository.path, profile: 'debug-full' }) }
}

async function textOfCall(agent: LineAgent, tool: string, params: JsonObject): Promise<string> {
  return textOfAnswer(await agent.call(tool, params))
}

describe.skipIf(process.platform === 'win32')('a repository', () => {
  test('with devices and pipes in place of its files is refused, file by file, and nobody waits for it', async () => {
    execFileSync('mkfifo', [elsewhere.file('pipe')])
    await write('app.js', 'debugger\n')
    await write('ok.test.ts', "import { test } from 'node:test'\ntest('one', () => {})\n")
    const { target, agent } = await open()
    const places = ['/dev/zero', '/dev/stdin', '/dev/random', elsewhere.file('pipe'), '/proc/self/fd/0']
    for (const [index, place] of places.entries()) {
      const folder = `f${index}`
      await link(place, `${folder}/.vscode/launch.json`)
      expect(await textOfCall(agent, 'debug_start', { launch: 'App', folder })).toMatch(
        /launch\.json is .*(?:device|pipe|socket|out of)/,
      )
      await link(place, `${folder}/a.test.ts`)
      expect(await textOfCall(agent, 'test_list', { path: `${folder}/a.test.ts` })).toContain('E_FILE_NOT_FOUND')
      expect(await textOfCall(agent, 'breakpoint_add', { path: `${folder}/a.test.ts`, line: 1 })).toContain(
        'E_FILE_NOT_FOUND',
      )
      await write(`${folder}/env/.vscode/launch.json`, {
        configurations: [{ ...LAUNCH.configurations[0], program: '../../app.js', envFile: '.env' }],
      })
      await link(place, `${folder}/env/.env`)
      expect(await textOfCall(agent, 'debug_start', { launch: 'App', folder: `${folder}/env` })).toContain(
        'The envFile',
      )
      await write(`${folder}/go/.vscode/launch.json`, {
        configurations: [{ name: 'App', type: 'lldb', request: 'launch', program: 'program' }],
      })
      await link(place, `${folder}/go/program`)
      expect(await textOfCall(agent, 'debug_start', { launch: 'App', folder: `${folder}/go` })).toMatch(/^\[E_/)
    }
    expect(await textOfCall(agent, 'test_list', { path: 'ok.test.ts' })).toContain('one')
    await target.expectCalm()
  })

  test('with files that are larger than any is refused by their size', async () => {
    await write('.vscode/launch.json', '')
    await truncate(repository.file('.vscode/launch.json'), 2 ** 36)
    await write('deep/.vscode/launch.json', `{"configurations":${'['.repeat(500_000)}`)
    await write('big.test.ts', '')
    await truncate(repository.file('big.test.ts'), 2 ** 36)
    const { target, agent } = await open()
    expect(await textOfCall(agent, 'debug_start', { launch: 'App' })).toContain('68719476736 bytes')
    expect(await textOfCall(agent, 'debug_start', { launch: 'App', folder: 'deep' })).toContain('E_INVALID_LAUNCH')
    expect(await textOfCall(agent, 'test_list', { path: 'big.test.ts' })).toContain('68719476736 bytes')
    await target.expectCalm()
  })

  test('whose program has a device for a source map is debugged all the same, and nothing is saved through its links', async () => {
    await write('app.js', 'const rows = [1, 2, 3]\nconst token = 1\ndebugger\n//# sourceMappingURL=app.js.map\n')
    await link('/dev/zero', 'app.js.map')
    await link(elsewhere.file('new.jsonl'), 'dangling.jsonl')
    await link(elsewhere.path, 'exit')
    await writeFile(elsewhere.file('own'), 'own')
    await link(elsewhere.file('own'), 'own.jsonl')
    const { target, agent } = await open()
    expect(await textOfCall(agent, 'debug_start', { program: 'app.js', timeoutMs: 60_000 })).toContain('app.js:3')
    for (const outputPath of ['dangling.jsonl', 'own.jsonl', 'exit/x.jsonl', 'exit/a/b.jsonl', '../x.jsonl']) {
      const saved = await textOfCall(agent, 'variable_save', { outputPath, expression: 'rows', overwrite: true })
      expect([outputPath, saved]).toEqual([outputPath, expect.stringContaining('E_OUTSIDE_WORKSPACE')])
    }
    expect(await textOfCall(agent, 'variable_save', { outputPath: 'out/rows.jsonl', expression: 'rows' })).toContain(
      'items',
    )
    expect(await readdir(elsewhere.path)).toEqual(['own'])
    expect(await readFile(elsewhere.file('own'), 'utf8')).toBe('own')
    await agent.call('debug_stop')
    await target.expectCalm()
  })

  test('with links to a person’s own files gets no copy of them from doctor --fix, and changes none', async () => {
    const front = { command: 'switchboard', args: ['mcp'] }
    const mine = JSON.stringify({ mcpServers: { a: front, mine: { command: 'x', env: { API_KEY: 'hunter2' } } } })
    await writeFile(elsewhere.file('.claude.json'), mine, { mode: 0o600 })
    await link(elsewhere.file('.claude.json'), '.mcp.json')
    await link(elsewhere.path, '.cursor')
    await writeFile(elsewhere.file('mcp.json'), JSON.stringify({ mcpServers: { a: front, b: front } }), { mode: 0o600 })
    await link('/dev/zero', '.vscode/mcp.json')
    const target = await targets.start({})
    const { out } = await target.run(['doctor', '--fix'], { HOME: elsewhere.path }, repository.path)
    expect(out).toContain('a link that leads out of its folder')
    expect(out).toContain('a device, not a plain file')
    expect(out).not.toContain('hunter2')
    expect((await readdir(repository.path)).sort()).toEqual(['.cursor', '.mcp.json', '.vscode'])
    expect((await lstat(repository.file('.mcp.json'))).isSymbolicLink()).toBe(true)
    expect(await readFile(elsewhere.file('.claude.json'), 'utf8')).toBe(mine)
    expect((await stat(elsewhere.file('.claude.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(elsewhere.path)).sort()).toEqual(['.claude.json', 'mcp.json'])
    await target.expectCalm()
  })
})
