import { describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../src/command-line/command-spec.ts'
import { COMMANDS } from '../../src/command-line/commands.ts'
import { GLOBAL_OPTIONS } from '../../src/command-line/global-options.ts'
import { parseCommandLine } from '../../src/command-line/parse-command-line.ts'
import { UsageError } from '../../src/command-line/usage-error.ts'

function parse(...argv: string[]) {
  const parsed = parseCommandLine(argv, COMMANDS)
  if (parsed.kind !== 'command') return parsed
  const { spec, input } = parsed
  return { name: spec.name, ...input }
}

function readMistake(...argv: string[]): UsageError {
  try {
    parseCommandLine(argv, COMMANDS)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error(`${argv.join(' ')} was accepted`)
}

describe('a command line', () => {
  test('names its command, its arguments and its options in any order', () => {
    const parsed = parse('--json', 'call', '--timeout', '90s', 'a_echo', '--arg', 'x=1', '{}', '-a', 'y=2', '--home=/h')
    if (!('options' in parsed)) throw new Error('no command')
    expect(parsed.name).toBe('call')
    expect(parsed.positionals).toEqual(['a_echo', '{}'])
    expect(parsed.options.flag('json')).toBe(true)
    expect(parsed.options.text('timeout')).toBe('90s')
    expect(parsed.options.text('home')).toBe('/h')
    expect(parsed.options.list('arg')).toEqual(['x=1', 'y=2'])
  })

  test('finds a command of two words, also behind a global option with a value', () => {
    const parsed = parse('--config', 'server', 'server', 'add', 'name', '-e', 'A=b', '--', 'npx', '-y', '--json')
    if (!('options' in parsed)) throw new Error('no command')
    expect(parsed).toMatchObject({ name: 'server add', positionals: ['name'], rest: ['npx', '-y', '--json'] })
    expect(parsed.options.flag('json')).toBe(false)
    expect(parsed.options.text('config')).toBe('server')
  })

  test('takes a dash as an argument: it stands for stdin', () => {
    expect(parse('call', 'tool', '-')).toMatchObject({ positionals: ['tool', '-'] })
  })

  test('that asks for help or the version needs nothing else to be right', () => {
    expect(parse('call', '--help')).toEqual({ kind: 'help', topic: 'call' })
    expect(parse('call', 'files_read', '--help')).toMatchObject({ name: 'help', positionals: ['call', 'files_read'] })
    expect(parse('call', 'files', 'read', '--help')).toMatchObject({ positionals: ['call', 'files', 'read'] })
    expect(parse('ls', '--help')).toEqual({ kind: 'help', topic: 'server list' })
    expect(parse('server', '-h')).toEqual({ kind: 'help', topic: 'server' })
    expect(parse('--help')).toEqual({ kind: 'help', topic: undefined })
    expect(parse('status', '--version')).toEqual({ kind: 'version' })
  })
})

test('nothing but the name of the program, or of a group, asks what there is', () => {
  expect(parse()).toEqual({ kind: 'help', topic: undefined })
  expect(parse('--no-color')).toEqual({ kind: 'help', topic: undefined })
  expect(parse('server')).toEqual({ kind: 'help', topic: 'server' })
})

test.each([
  [['ps', '--watch'], { name: 'status', positionals: [] }],
  [['ls'], { name: 'server list', positionals: [] }],
  [['rm', 'web'], { name: 'server remove', positionals: ['web'] }],
  [['server', 'ls'], { name: 'server list', positionals: [] }],
  [['server', 'rm', 'web'], { name: 'server remove', positionals: ['web'] }],
])('%j is known by another name', (argv, expected) => {
  expect(parse(...argv)).toMatchObject(expected)
})

test.each([
  [['stats'], 'There is no command "stats". Did you mean status?', undefined],
  [['--json'], 'A command is missing.', undefined],
  [['--jsn'], 'There is no option --jsn. Did you mean --json?', undefined],
  [
    ['server', '--json'],
    '"server" needs one of: add, edit, remove, enable, disable, list, show, restart, login, logout, logs.',
    'server',
  ],
  [['server', 'ad'], 'There is no command "server ad". Did you mean add?', 'server'],
  [['call', 'x', '--tmeout', '1s'], '"call" has no option --tmeout. Did you mean --timeout?', 'call'],
  [['call'], '<tool> is missing: the name of a tool, as "switchboard tools" shows it', 'call'],
  [['tools', 'a', 'b'], '"tools" does not know what to do with "b".', 'tools'],
  [['call', 'x', '--timeout'], '--timeout needs a value: --timeout <duration>', 'call'],
  [['call', 'x', '--timeout='], '--timeout needs a value: --timeout <duration>', 'call'],
  [['logs', '--since', '--json'], '--since needs a value, and "--json" looks like an option.', 'logs'],
  [['status', '--watch=yes'], '--watch takes no value.', 'status'],
  [['logs', '--level', 'warning'], '--level cannot be "warning". Did you mean warn?', 'logs'],
  [['completion', 'bsh'], '<shell> cannot be "bsh". Did you mean bash?', 'completion'],
  [['status', '--', 'x'], '"status" takes nothing behind a "--".', 'status'],
])('%j is refused: %s', (argv, message, command) => {
  const mistake = readMistake(...argv)
  expect(mistake.message).toBe(message)
  expect(mistake.command).toBe(command)
})

test("a forgotten -- before a server's command is what the hint is about", () => {
  expect(readMistake('server', 'add', 'x', 'npx', '-y', 'pkg').hint).toContain('behind a "--"')
  expect(readMistake('server', 'add', 'x', 'npx', 'pkg').hint).toContain('behind a "--"')
})

test('every command can be told from every other, and no option hides a global one', () => {
  const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  const taken = new Set(GLOBAL_OPTIONS.flatMap(({ name, short = '' }) => [name, short]))
  const hidden = COMMANDS.flatMap(({ name, options }: CommandSpec) =>
    options
      .filter((option) => taken.has(option.name) || taken.has(option.short ?? '-'))
      .map((option) => `${name} --${option.name}`),
  )
  expect(hidden).toEqual([])
})

test('every command of the table can be loaded', async () => {
  for (const spec of COMMANDS) expect(typeof (await spec.load()).run, spec.name).toBe('function')
})
