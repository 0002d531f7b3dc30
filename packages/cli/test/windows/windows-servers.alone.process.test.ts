/**
 * Servers on Windows: found, started with the arguments that were meant, and ended with all that they started. Alone, because there
 * is one Windows, and with the end of a suite everything in it ends.
 */
import { existsSync } from 'node:fs'
import { textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { PATIENCE, useWindows } from './support/windows-bench.ts'
import { toWindows, WINDOWS_NODE, whyNoWindows } from './support/wine.ts'

const reason = whyNoWindows()

/** A server whose tools are its arguments: each is the description of one. */
const ECHO_SERVER = `
process.stdin.setEncoding('utf8')
let text = ''
process.stdin.on('data', (chunk) => {
  const lines = (text + chunk).split('\\n'); text = lines.pop()
  for (const line of lines) {
    const { id, method } = JSON.parse(line)
    const tools = process.argv.slice(2).map((description, index) => ({ name: 't' + index, description, inputSchema: { type: 'object' } }))
    const serverInfo = { name: 'echo', version: '1' }
    if (method === 'initialize') answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
    else if (method === 'tools/list') answer(id, { tools })
    else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n')
  }
})
function answer(id, result) { process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n') }
`

/** As npm writes it for a program of a package. */
const npmShim = (script: string): string =>
  `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\${script}" %*\r\n`

describe.skipIf(reason !== undefined)(`Servers on Windows (${reason ?? 'in Wine'})`, { timeout: 300_000 }, () => {
  const bench = useWindows()
  /** A batch file as somebody wrote it: whatever it is given goes on to Node. */
  const batch = (script: string): string => `@echo off\r\n"${WINDOWS_NODE}" "%~dp0\\${script}" %*\r\n`
  const fixtureBatch = (script: object): string =>
    `@echo off\r\n"${WINDOWS_NODE}" ${bench.fixture().args.slice(0, 2).join(' ')} --script-file "%~dp0\\script.json"\r\n${
      bench.write(bench.file('tools', 'script.json'), JSON.stringify(script)) && ''
    }`
  const pathWith = (...folders: string[]) => ({
    PATH: [...folders.map((folder) => toWindows(bench.file(folder))), bench.machine.environment.PATH].join(';'),
  })

  test('arguments reach a server behind a batch file as they were written, and nothing in them acts', async () => {
    const hit = toWindows(bench.file('hit.txt'))
    const tricky = [
      'two words',
      'quo"te',
      '"',
      'a & b',
      `x" & echo hit>"${hit}" & "`,
      `x"&echo hit>${hit}&"y`,
      'back\\slash\\',
      'sla\\"sh',
      '^caret^ !bang! (p)',
      'a|b<c>d',
      '{"a":"b c","d":[1]}',
      'Grüße 日本',
      '&calc',
    ]
    // What Wine's cmd.exe puts in the place of %* is read by it once more (that of Windows does not): no way leads around that.
    const withPercent = [...tricky, '100%', '%PATH%', '%OS%x%OS%', `%COMSPEC% "%PATH%" & echo hit>"${hit}"`]
    bench.write(bench.file('my tools', 'echo.mjs'), ECHO_SERVER)
    bench.write(bench.file('my tools', 'hand.cmd'), batch('echo.mjs'))
    bench.write(bench.file('my tools', 'npm.cmd'), npmShim('..\\my tools\\echo.mjs'))
    const node = { PATH: `${WINDOWS_NODE.replace(/\\[^\\]+$/, '')};${pathWith('my tools').PATH}` }
    bench.configure({
      mcpServers: {
        hand: { command: 'hand', args: tricky, env: node },
        npm: { command: 'npm', args: withPercent, env: node },
        plain: { command: 'node', args: [toWindows(bench.file('my tools', 'echo.mjs')), ...withPercent], env: node },
      },
    })
    const agent = await bench.front()
    await agent.initialize()
    const seen = await waitFor(async () => {
      const { result } = (await agent.request('tools/list')) as {
        result: { tools: { name: string; description: string }[] }
      }
      const of = (server: string) =>
        result.tools.filter(({ name }) => name.startsWith(`${server}_t`)).map(({ description }) => description)
      const found = { hand: of('hand'), npm: of('npm'), plain: of('plain') }
      return Object.values(found).every(({ length }) => length > 0) && found
    }, PATIENCE)
    expect(seen).toEqual({ hand: tricky, npm: withPercent, plain: withPercent })
    expect(existsSync(bench.file('hit.txt'))).toBe(false)
    // What npm wrote is not run by a shell at all.
    expect(bench.programs(/cmd\.exe.*npm\.cmd/)).toEqual([])
    expect(bench.programs(/cmd\.exe.*hand\.cmd/)).toHaveLength(1)
  })

  test('a command is found by PATHEXT, on the PATH of its own entry, in whatever case that is written', async () => {
    bench.write(bench.file('tools', 'echo.mjs'), ECHO_SERVER)
    bench.write(bench.file('first', 'tool.js'), '// no program')
    bench.write(bench.file('tools', 'tool.cmd'), batch('echo.mjs'))
    const { PATH } = pathWith('first', 'tools')
    bench.configure({
      mcpServers: {
        lower: { command: 'tool', args: ['lower'], env: { path: PATH } },
        mixed: { command: 'tool.CMD', args: ['mixed'], env: { Path: PATH } },
        absent: { command: 'toool', env: { PATH } },
        script: { command: 'tool', env: { PATH: pathWith('first').PATH } },
      },
    })
    const agent = await bench.front()
    await agent.initialize()
    const names = async () => {
      const { result } = (await agent.request('tools/list')) as { result: { tools: { name: string }[] } }
      return result.tools.map(({ name }) => name)
    }
    await waitFor(async () => (await names()).includes('lower_t0') && (await names()).includes('mixed_t0'), PATIENCE)
    const status = await waitFor(async () => {
      const { out } = await bench.run(['status'])
      return out.includes('not found') && out.includes('not executable') && out
    }, PATIENCE)
    expect(status).toContain('the command "toool" was not found on the PATH')
    expect(status).toContain('tool.js is not executable')
  })

  test('what a server started behind a batch file is ended with it, however it ends', async () => {
    const stubborn = { ignoreEof: true, grandchild: { ignoreSigterm: true } }
    bench.write(bench.file('tools', 'stubborn.cmd'), fixtureBatch(stubborn))
    bench.configure({ mcpServers: { tree: { command: 'stubborn', env: pathWith('tools') } } })
    const programs = () => bench.programs(/stubborn\.cmd|script\.json|fixture-grandchild/)
    const open = async () => {
      const agent = await bench.front()
      await agent.initialize()
      const pid = await waitFor(async () => Number(textOfAnswer(await agent.call('tree_pid'))) || undefined, PATIENCE)
      expect(programs()).toHaveLength(3)
      return { agent, pid }
    }
    const { agent, pid } = await open()

    // The server is killed below its batch file: the one that comes in its place finds nobody of it.
    await bench.kill(pid)
    await waitFor(async () => Number(textOfAnswer(await agent.call('tree_pid'))) > 0, PATIENCE)
    await waitFor(() => programs().length === 3, { ...PATIENCE, what: 'the rest of the killed server to end' })

    // The daemon is killed, with no window that would start the next: its guard ends whoever does not care.
    await agent.end()
    await bench.kill(bench.daemonPid())
    await waitFor(() => programs().length === 0, { ...PATIENCE, what: 'the end of all that the killed daemon had' })

    // An orderly end, in spite of them.
    await (await open()).agent.end()
    expect((await bench.run(['down'])).out).toContain('stopped the daemon')
    expect(programs()).toEqual([])
  })
})
