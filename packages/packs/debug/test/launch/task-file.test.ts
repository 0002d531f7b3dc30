import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, test } from 'vitest'
import type { VariableScope } from '../../src/launch/expand-variables.ts'
import { toShellCommand } from '../../src/launch/shell-command.ts'
import { findBuildTask, planTask } from '../../src/launch/task-file.ts'

const scope: VariableScope = {
  folder: '/project',
  folders: [],
  env: {},
  given: {},
  inputs: [],
  settings: () => ({}),
  buildTask: () => undefined,
}

function plan(wanted: unknown, ...tasks: JsonObject[]) {
  return planTask(wanted, { tasks, inputs: [] }, scope)
}

describe('a task', () => {
  test.each<[JsonObject, object]>([
    [
      { type: 'process', command: 'make', args: ['all', 'two words'], options: { cwd: 'src', env: { A: 1 } } },
      {
        command: 'make',
        args: ['all', 'two words'],
        cwd: '/project/src',
        env: { A: '1' },
        shown: "make all 'two words'",
      },
    ],
    [
      { type: 'npm', script: 'build', path: 'web' },
      { command: 'npm', args: ['run', 'build'], cwd: '/project/web' },
    ],
    [
      { type: 'npm', script: 'install' },
      { command: 'npm', args: ['install'] },
    ],
    [
      { type: 'typescript', tsconfig: 'tsconfig.json' },
      { args: ['-p', 'tsconfig.json'], shown: 'npx tsc -p tsconfig.json' },
    ],
    [
      { type: 'cargo', command: 'build', args: ['--bins'] },
      { command: 'cargo', args: ['build', '--bins'] },
    ],
    [
      { type: 'cppbuild', command: '/usr/bin/g++', args: ['-g'] },
      { command: '/usr/bin/g++', args: ['-g'] },
    ],
    [
      {
        type: 'shell',
        command: 'make',
        linux: { command: 'own' },
        osx: { command: 'own' },
        windows: { command: 'own' },
      },
      { shown: 'own' },
    ],
  ])('becomes a command: %j', (task, expected) => {
    expect(plan('it', { label: 'it', ...task })).toMatchObject([expected])
  })

  test('comes after what it depends on, each once', () => {
    const labels = plan(
      'all',
      { label: 'all', dependsOn: ['a', 'b'] },
      { label: 'a', type: 'shell', command: 'a', dependsOn: 'c' },
      { label: 'b', type: 'shell', command: 'b', dependsOn: ['c'] },
      { label: 'c', type: 'shell', command: 'c' },
    ).map(({ label }) => label)
    expect(labels).toEqual(['c', 'a', 'b'])
  })

  test('may be the default one for builds, or stand in the configuration itself', () => {
    const build = { label: 'mine', type: 'shell', command: 'make', group: { kind: 'build', isDefault: true } }
    expect(findBuildTask({ tasks: [build], inputs: [] })).toBe('mine')
    expect(plan(`\${defaultBuildTask}`, build)).toMatchObject([{ shown: 'make' }])
    expect(plan({ type: 'npm', script: 'build' })).toMatchObject([{ label: 'npm: build', args: ['run', 'build'] }])
  })

  test.each<[string, JsonObject[], RegExp]>([
    [
      'biuld',
      [{ label: 'build', command: 'x' }],
      /needs the task "biuld" \(did you mean "build"\?\), and tasks\.json has only "build"$/,
    ],
    [`\${defaultBuildTask}`, [], /needs the default build task, and tasks\.json has none/],
    [
      'a',
      [
        { label: 'a', dependsOn: 'b' },
        { label: 'b', dependsOn: ['a'] },
      ],
      /"a" depends on itself: a → b → a/,
    ],
    [
      'a',
      [{ label: 'a', type: 'shell', command: 'tsc', args: ['--watch'], isBackground: true }],
      /"a" runs in the background and does not end.*Start it yourself: tsc --watch$/,
    ],
    ['a', [{ label: 'a', type: 'typescript', tsconfig: 'x.json', option: 'watch' }], /runs in the background/],
    ['a', [{ label: 'a', type: 'docker-build' }], /of the type "docker-build", which cannot be run here/],
    ['a', [{ label: 'a', type: 'process' }], /"a" has no command/],
  ])('"%s" is refused with what to do', (wanted, tasks, message) => {
    expect(() => plan(wanted, ...tasks)).toThrow(
      expect.objectContaining({ code: 'E_PRELAUNCH_TASK', message: expect.stringMatching(message) }),
    )
  })
})

describe('a line for the shell', () => {
  test.each<[unknown, unknown[], string]>([
    ['make all && ls', [], 'make all && ls'],
    [
      'my tool',
      ['a b', 'plain', "it's here", '"quoted already"'],
      `'my tool' 'a b' plain 'it'\\''s here' "quoted already"`,
    ],
    [
      'echo',
      [
        { value: '$HOME x', quoting: 'strong' },
        { value: '$HOME x', quoting: 'weak' },
      ],
      `echo '$HOME x' "$HOME x"`,
    ],
    ['echo', [{ value: 'a b', quoting: 'escape' }], 'echo a\\ b'],
  ])('has what must be quoted quoted: %s %j', (command, args, line) => {
    expect(toShellCommand(command, args, {}, 'linux')).toEqual({ command: '/bin/sh', args: ['-c', line], shown: line })
  })

  test('is for the shell that is asked for, and for that of Windows there', () => {
    expect(toShellCommand('x', [], { executable: 'bash', args: ['-lc'] }, 'linux').args).toEqual(['-lc', 'x'])
    expect(toShellCommand('x', ['a b'], {}, 'win32')).toMatchObject({
      command: 'cmd.exe',
      args: ['/d', '/s', '/c', 'x "a b"'],
    })
  })
})
