import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, test } from 'vitest'
import type { VariableScope } from '../../src/launch/expand-variables.ts'
import { readConfiguration } from '../../src/launch/read-configuration.ts'
import { WorkspacePaths } from '../../src/workspace/workspace-paths.ts'

const FOLDER = '/project'

const scope: VariableScope = {
  folder: FOLDER,
  folders: [{ name: 'project', path: FOLDER }],
  env: {},
  file: '/project/lib/app.rb',
  given: {},
  inputs: [],
  settings: () => ({}),
  buildTask: () => undefined,
}

function read(configuration: JsonObject): JsonObject {
  const { how } = readConfiguration({ name: 'App', ...configuration }, scope, new WorkspacePaths(FOLDER))
  return JSON.parse(JSON.stringify(how))
}

describe('a configuration of VS Code', () => {
  test.each<[what: string, configuration: JsonObject, expected: JsonObject]>([
    [
      'cppdbg with its environment, its source map and stopAtEntry',
      {
        type: 'cppdbg',
        program: 'build/app',
        stopAtEntry: true,
        MIMode: 'gdb',
        environment: [{ name: 'A', value: '1' }],
        sourceFileMap: {
          '/build': '/project/src',
          '/other': { editorPath: '/project/other', useForBreakpoints: true },
        },
      },
      {
        kind: 'launch',
        program: '/project/build/app',
        stopOnEntry: true,
        env: { A: '1' },
        options: {
          sourceMap: [
            ['/build', '/project/src'],
            ['/other', '/project/other'],
          ],
        },
      },
    ],
    [
      'cppdbg that connects to a debug server',
      { type: 'cppdbg', program: 'app', miDebuggerServerAddress: 'localhost:1234' },
      { kind: 'attach', host: 'localhost', port: 1234 },
    ],
    [
      'CodeLLDB with its languages, and cargo beside a program',
      { type: 'lldb', program: 'target/debug/app', cargo: { args: ['build'] }, sourceLanguages: ['rust'] },
      { program: '/project/target/debug/app', options: { language: 'rust' } },
    ],
    [
      'Python with the interpreter that VS Code would ask for',
      { type: 'debugpy', program: `\${workspaceFolder}/a.py`, python: `\${command:python.interpreterPath}` },
      { program: '/project/a.py', options: {} },
    ],
    [
      'a Python module',
      { type: 'debugpy', module: 'app.main', justMyCode: false },
      { program: '', options: { module: 'app.main', justMyCode: false } },
    ],
    [
      'Python elsewhere, with roots as older configurations have them',
      {
        type: 'python',
        request: 'attach',
        port: 5678,
        host: 'box',
        localRoot: `\${workspaceFolder}`,
        remoteRoot: '/srv',
      },
      {
        kind: 'attach',
        host: 'box',
        port: 5678,
        options: { pathMappings: [{ localRoot: '/project', remoteRoot: '/srv' }] },
      },
    ],
    ['Go whose mode is auto', { type: 'go', program: '.', mode: 'auto' }, { program: '/project', options: {} }],
    [
      'Go elsewhere, with a remote path',
      { type: 'go', request: 'attach', mode: 'remote', port: 2345, cwd: '/project', remotePath: '/srv' },
      { kind: 'attach', port: 2345, options: { mode: 'remote', substitutePath: [{ from: '/project', to: '/srv' }] } },
    ],
    [
      'rdbg with a script',
      { type: 'rdbg', script: `\${file}`, args: ['x'] },
      { program: '/project/lib/app.rb', args: ['x'] },
    ],
    [
      'the Ruby LSP with a whole command',
      { type: 'ruby_lsp', program: `bundle exec ruby -Ilib \${file} one "two words"` },
      { program: '/project/lib/app.rb', args: ['one', 'two words'] },
    ],
    ['rdbg by an address', { type: 'rdbg', request: 'attach', debugPort: 'box:12345' }, { host: 'box', port: 12345 }],
    [
      'rdbg by a socket',
      { type: 'ruby_lsp', request: 'attach', debugSocketPath: '/run/app.sock' },
      { kind: 'attach', options: { socketPath: '/run/app.sock' } },
    ],
    [
      'Node in a terminal',
      { type: 'node-terminal', command: 'npm start' },
      { program: '', options: { runtimeExecutable: '/bin/sh', runtimeArgs: ['-c', 'npm start'] } },
    ],
    [
      'Node with arguments of the runtime as a text',
      { type: 'pwa-node', program: 'a.js', runtimeArgs: '--no-warnings --title=x' },
      { options: { runtimeArgs: ['--no-warnings', '--title=x'] } },
    ],
    [
      'what is about windows of the editor only',
      {
        type: 'node',
        program: 'a.js',
        console: 'integratedTerminal',
        internalConsoleOptions: 'neverOpen',
        serverReadyAction: { pattern: 'x' },
        presentation: { group: 'a' },
        postDebugTask: 'clean',
      },
      { program: '/project/a.js', options: {} },
    ],
  ])('is read: %s', (_, configuration, expected) => {
    const how = read(configuration)
    expect(how).toMatchObject(expected)
    const options: unknown = Object(how.options)
    for (const key of [
      'environment',
      'cargo',
      'sourceFileMap',
      'localRoot',
      'remotePath',
      'console',
      'serverReadyAction',
    ])
      expect(options).not.toHaveProperty(key)
  })

  test.each<[JsonObject, RegExp]>([
    [{ type: 'lldb', cargo: { args: ['build'] } }, /"App" builds with "cargo" first: run cargo build yourself/],
    [{ type: 'cppdbg', program: 'a', coreDumpPath: 'core' }, /opens a core dump/],
    [{ type: 'debugpy', request: 'attach', listen: { port: 1 } }, /waits for the program to connect.*--listen/],
    [{ type: 'node-terminal' }, /node-terminal and has no "command"/],
    [{ type: 'ruby_lsp', program: 'ruby -v' }, /the program "ruby -v", which names no file/],
  ])('is refused: %j', (configuration, message) => {
    expect(() => read(configuration)).toThrow(
      expect.objectContaining({ code: 'E_INVALID_LAUNCH', message: expect.stringMatching(message) }),
    )
  })
})
