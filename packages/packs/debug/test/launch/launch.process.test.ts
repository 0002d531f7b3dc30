/** Configurations of launch.json as people write them, with real tasks, runtimes and programs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { findFreePort, waitFor, watchProgram } from '@switchboard/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { PythonRuntimes } from '../../src/dap/engines/python-runtime.ts'
import { useDebugBench } from '../helpers/debug-bench.ts'

const LONG = 60_000
const APP = 'const value = 7\nconsole.log(value)\n'
const bench = useDebugBench()
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function writeLaunch(configuration: JsonObject, tasks: readonly JsonObject[] = []): Promise<unknown> {
  return Promise.all([
    bench.write('.vscode/launch.json', JSON.stringify({ configurations: [{ name: 'App', ...configuration }] })),
    bench.write('.vscode/tasks.json', JSON.stringify({ tasks })),
  ])
}

const at = (path: string, line: number): JsonObject => ({ breakpoints: [{ path, line }] })

async function readOwn(path: string): Promise<string> {
  return readFile(join(bench.workspace, path), 'utf8').catch(() => '')
}

describe('tasks', { timeout: LONG }, () => {
  test('run before the program in their order, again at a restart, and after it', async () => {
    await bench.write('package.json', '{"scripts":{"build":"echo npm>>log.txt"}}')
    await writeLaunch({ type: 'node', program: 'made.js', preLaunchTask: 'all', postDebugTask: 'after' }, [
      { label: 'all', dependsOn: ['npm: build', 'make'], dependsOrder: 'sequence' },
      {
        label: 'make',
        type: 'shell',
        command: 'echo "$WHO" >> ../log.txt; echo "console.log(1)" > ../made.js',
        options: { cwd: 'sub', env: { WHO: 'shell' } },
      },
      {
        label: 'after',
        type: 'process',
        command: process.execPath,
        args: ['-e', 'require("fs").appendFileSync("log.txt","after\\n")'],
      },
    ])
    await bench.write('sub/.keep', '')
    await bench.write('made.js', 'old()\n')
    const ended = await bench.call('debug_start', { launch: 'App' })
    expect(ended.data).toMatchObject({ event: 'terminated', exitCode: 0, output: '1\n' })
    await waitFor(async () => (await readOwn('log.txt')).endsWith('after\n'))
    expect(await readOwn('log.txt')).toBe('npm\nshell\nafter\n')
    await bench.call('debug_restart')
    await waitFor(async () => (await readOwn('log.txt')).split('\n').length === 7)
    expect(await readOwn('log.txt')).toBe('npm\nshell\nafter\nnpm\nshell\nafter\n')
  })

  test('of a compound run once, before those of its members', async () => {
    const say = (label: string): JsonObject => ({ label, type: 'shell', command: `echo ${label} >> log.txt` })
    const member = (name: string): JsonObject => ({ name, type: 'node', program: 'app.js', preLaunchTask: name })
    const compounds = [{ name: 'Both', configurations: ['one', 'two'], preLaunchTask: 'all' }]
    await bench.write('app.js', APP)
    await writeLaunch({}, ['all', 'one', 'two'].map(say))
    await bench.write('.vscode/launch.json', JSON.stringify({ configurations: ['one', 'two'].map(member), compounds }))
    await bench.call('debug_start', { launch: 'Both' })
    expect(await readOwn('log.txt')).toBe('all\none\ntwo\n')
  })

  test('that fail are told with their command, their code and what they printed; nothing is started', async () => {
    await bench.write('app.js', 'require("fs").writeFileSync("ran","")\n')
    await writeLaunch({ type: 'node', program: 'app.js', preLaunchTask: 'build' }, [
      {
        label: 'build',
        type: 'shell',
        command: 'echo token=ghp_0123456789012345678901234567890123456789; echo "$PWD/a.c:1: error" >&2; exit 3',
      },
    ])
    const refused = await bench.call('debug_start', { launch: 'App' })
    expect(refused.code).toBe('E_PRELAUNCH_TASK')
    expect(refused.text).toMatch(/The task "build" failed with exit code 3: echo/)
    expect(refused.text).toContain('\na.c:1: error')
    expect(refused.text).not.toMatch(/\ntoken=ghp_/)
    expect(await readOwn('ran')).toBe('')
    expect((await bench.call('debug_start', { launch: 'App', skipTask: true })).data).toMatchObject({ exitCode: 0 })
  })

  test('that are no program on this machine say so', async () => {
    await bench.write('app.js', APP)
    await writeLaunch({ type: 'node', program: 'app.js', preLaunchTask: 'build' }, [
      { label: 'build', type: 'process', command: 'no-such-compiler' },
    ])
    const refused = await bench.call('debug_start', { launch: 'App' })
    expect(refused).toMatchObject({ code: 'E_PRELAUNCH_TASK' })
    expect(refused.text).toMatch(/could not be started: .*no-such-compiler/)
  })

  test('that do not end in time, or are cancelled, are ended with all they started', async () => {
    await bench.write('app.js', APP)
    await writeLaunch({ type: 'node', program: 'app.js', preLaunchTask: 'slow' }, [
      { label: 'slow', type: 'shell', command: 'echo begun > begun; sleep 1000 & sleep 1000' },
    ])
    const late = await bench.call('debug_start', { launch: 'App', timeoutMs: 300 })
    expect(late.text).toMatch(/"slow" was still running after \d+ ms and was ended; give it more time with timeoutMs/)
    const cancel = new AbortController()
    await bench.write('begun', '')
    const cancelled = bench.call('debug_start', { launch: 'App' }, { signal: cancel.signal })
    await waitFor(async () => (await readOwn('begun')) !== '')
    cancel.abort()
    expect((await cancelled).code).toBe('E_CANCELLED')
  })

  test('that leave something in the background do not hold the start up, and it is ended', async () => {
    await bench.write('app.js', APP)
    await writeLaunch({ type: 'node', program: 'app.js', preLaunchTask: 'go' }, [
      { label: 'go', type: 'shell', command: 'sleep 1000 & true' },
    ])
    expect((await bench.call('debug_start', { launch: 'App' })).data).toMatchObject({ exitCode: 0 })
  })
})

describe('Node', { timeout: LONG }, () => {
  test.each<[string, JsonObject]>([
    ['a program without its ending', { program: `\${workspaceFolder}/src/app` }],
    ['a folder', { program: 'src' }],
    ['a script of npm', { runtimeExecutable: 'npm', runtimeArgs: ['run', 'start'], console: 'integratedTerminal' }],
    ['a command of the project', { runtimeExecutable: 'runner', program: 'src/app.js' }],
    ['a terminal', { type: 'node-terminal', command: 'cd src && node app.js' }],
  ])('stops in %s', async (_, configuration) => {
    await bench.write('src/app.js', APP)
    await bench.write('src/package.json', '{"main":"app"}')
    await bench.write('package.json', '{"scripts":{"start":"node src/app.js"}}')
    await bench.write('node_modules/.bin/runner', '#!/bin/sh\nexec node "$@"\n')
    await chmod(join(bench.workspace, 'node_modules/.bin/runner'), 0o755)
    await writeLaunch({ type: 'pwa-node', request: 'launch', ...configuration })
    const stopped = await bench.call('debug_start', { launch: 'App', timeoutMs: 40_000, ...at('src/app.js', 2) })
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'src/app.js', line: 2 })
    expect(stopped.text).toContain('value=7')
  })

  test('steps over the files that skipFiles names', async () => {
    await bench.write('lib/helper.js', 'exports.twice = (run) => {\n  run()\n  run()\n}\n')
    await bench.write('app.js', "const { twice } = require('./lib/helper.js')\ntwice(() => {\n  globalThis.x = 1\n})\n")
    await writeLaunch({
      type: 'node',
      program: 'app.js',
      skipFiles: ['<node_internals>/**', `\${workspaceFolder}/lib/**`],
    })
    await bench.call('debug_start', { launch: 'App', ...at('app.js', 2) })
    expect((await bench.call('debug_step_into')).data).toMatchObject({ path: 'app.js', line: 3 })
  })

  test('is attached to with the folder there as the folder here', async () => {
    await bench.write('local/app.js', 'setInterval(() => {\n  globalThis.count = 1\n}, 20)\n')
    await bench.write('remote/app.js', 'setInterval(() => {\n  globalThis.count = 1\n}, 20)\n')
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(bench.workspace, 'remote/app.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.push(child)
    const { err: said } = watchProgram(child)
    await waitFor(() => /ws:\/\/[^:]+:\d+\//.test(said()))
    const port = Number(/ws:\/\/[^:]+:(\d+)\//.exec(said())?.[1])
    const roots = { localRoot: `\${workspaceFolder}/local`, remoteRoot: join(bench.workspace, 'remote') }
    await writeLaunch({ type: 'node', request: 'attach', port, ...roots })
    const stopped = await bench.call('debug_start', { launch: 'App', ...at('local/app.js', 2) })
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'local/app.js', line: 2 })
    await bench.call('debug_stop')
    expect(child.exitCode).toBeNull()
  })
})

describe('Python', { timeout: LONG }, () => {
  test('runs as a module, with the interpreter of the workspace', async () => {
    await bench.write('shop/__main__.py', 'import sys\nvalue = len(sys.argv)\nprint(value)\n')
    await writeLaunch({
      type: 'debugpy',
      module: 'shop',
      args: 'a "b c"',
      justMyCode: true,
      python: `\${command:python.interpreterPath}`,
    })
    const stopped = await bench.call('debug_start', { launch: 'App', ...at('shop/__main__.py', 3) })
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'shop/__main__.py', line: 3 })
    expect(stopped.text).toContain('value=3')
  })

  test('is attached to with the folder there as the folder here', async () => {
    const found = await new PythonRuntimes(bench.workspace).findDebugger()
    const port = await findFreePort()
    const text = 'import time\nprint("begun", flush=True)\nwhile True:\n    count = 1\n    time.sleep(0.02)\n'
    await bench.write('local/app.py', text)
    await bench.write('remote/app.py', text)
    const args = ['-m', 'debugpy', '--listen', `127.0.0.1:${port}`, join(bench.workspace, 'remote/app.py')]
    const child = spawn(found?.executable ?? '', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    running.push(child)
    await watchProgram(child).waitForText('begun')
    const pathMappings = [{ localRoot: `\${workspaceFolder}/local`, remoteRoot: join(bench.workspace, 'remote') }]
    await writeLaunch({ type: 'debugpy', request: 'attach', connect: { host: '127.0.0.1', port }, pathMappings })
    const stopped = await bench.call('debug_start', { launch: 'App', ...at('local/app.py', 4) })
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'local/app.py', line: 4 })
    await bench.call('debug_stop', { kill: true })
  })
})

describe('what VS Code writes by itself', { timeout: 180_000 }, () => {
  const CPP =
    '#include <cstdlib>\n#include <cstdio>\nint main() {\n  const char *who = getenv("WHO");\n  puts(who);\n}\n'

  test('for C++, with the task that builds the open file', async () => {
    await bench.write('src/shop.cpp', CPP)
    const binary = `\${fileDirname}/\${fileBasenameNoExtension}`
    const label = 'C/C++: g++ build active file'
    await writeLaunch(
      {
        type: 'cppdbg',
        request: 'launch',
        program: binary,
        environment: [{ name: 'WHO', value: 'me' }],
        externalConsole: false,
        MIMode: 'gdb',
        setupCommands: [{ text: '-enable-pretty-printing', ignoreFailures: true }],
        preLaunchTask: label,
      },
      [{ type: 'cppbuild', label, command: 'g++', args: ['-g', `\${file}`, '-o', binary], problemMatcher: ['$gcc'] }],
    )
    const call = { launch: 'App', program: 'src/shop.cpp', timeoutMs: 60_000, ...at('src/shop.cpp', 5) }
    const stopped = await bench.call('debug_start', call)
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'src/shop.cpp', line: 5 })
    expect(stopped.text).toMatch(/who=.*"me"/)
  })

  test('for Go, with the package of the open file', async () => {
    await bench.write('go.mod', 'module shop\n\ngo 1.19\n')
    await bench.write('cmd/main.go', 'package main\n\nfunc main() {\n\tvalue := 7\n\tprintln(value)\n}\n')
    await writeLaunch({ type: 'go', request: 'launch', mode: 'auto', program: `\${fileDirname}` })
    const call = { launch: 'App', program: 'cmd/main.go', timeoutMs: 120_000, ...at('cmd/main.go', 5) }
    const stopped = await bench.call('debug_start', call)
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'cmd/main.go', line: 5 })
    expect(stopped.text).toContain('value=7')
  })

  test.each<[string, JsonObject]>([
    ['rdbg', { type: 'rdbg', script: `\${file}`, args: ['x'], askParameters: true }],
    ['the Ruby LSP', { type: 'ruby_lsp', program: `ruby \${file} x` }],
  ])('for Ruby by %s', async (_, configuration) => {
    await bench.write('shop.rb', 'who = ARGV.first\nputs who\n')
    await writeLaunch({ request: 'launch', ...configuration })
    const stopped = await bench.call('debug_start', { launch: 'App', program: 'shop.rb', ...at('shop.rb', 2) })
    expect(stopped.data).toMatchObject({ event: 'stopped', path: 'shop.rb', line: 2 })
    expect(stopped.text).toMatch(/who="?x"?/)
  })

  test('for a program that reads from a terminal: there is none, and nothing to read', async () => {
    const script = 'process.stdin.on("data", () => {}).on("end", () => console.log("nothing more"))\n'
    await bench.write('app.js', script)
    await writeLaunch({ type: 'node', program: 'app.js', console: 'integratedTerminal' })
    const ended = await bench.call('debug_start', { launch: 'App', timeoutMs: 20_000 })
    expect(ended.data).toMatchObject({ event: 'terminated', exitCode: 0, output: 'nothing more\n' })
  })
})
