import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/command-line/commands.ts'
import { parseCommandLine } from '../../src/command-line/parse-command-line.ts'
import { readEntry } from '../../src/config/read-entry.ts'

function entryOf(...argv: string[]) {
  const parsed = parseCommandLine(['server', 'add', 'name', ...argv], COMMANDS)
  if (parsed.kind !== 'command') throw new Error('no command')
  return readEntry(parsed.input, '/home/you')
}

test('a command, its arguments, its environment and its settings make an entry', () => {
  expect(
    entryOf(
      '-e',
      'A=b=c',
      '--set',
      'timeout=90s',
      '--set',
      'tools.prefix=false',
      '--set',
      'tools.deny=["x"]',
      '--',
      'npx',
      '-y',
      'p',
    ),
  ).toEqual({
    command: 'npx',
    args: ['-y', 'p'],
    env: { A: 'b=c' },
    timeout: '90s',
    tools: { prefix: false, deny: ['x'] },
  })
})

test('an address and headers make an entry of a remote server', () => {
  expect(entryOf('--url', 'https://example.com/mcp', '-H', 'Authorization: Bearer x:y', '--type', 'http')).toEqual({
    type: 'http',
    url: 'https://example.com/mcp',
    headers: { Authorization: 'Bearer x:y' },
  })
})

test('a folder is meant from where the command is typed', () => {
  expect(entryOf('--cwd', 'project', '--', 'x').cwd).toMatch(/[\\/]home[\\/]you[\\/]project$/)
})

test('a server needs a command or an address, and not both', () => {
  expect(() => entryOf()).toThrow('The server needs a command behind a "--", or a --url.')
  expect(() => entryOf('--url', 'https://example.com', '--', 'x')).toThrow('not both')
})

test('a malformed pair is refused without repeating what may be a secret', () => {
  expect(() => entryOf('--env', 'sk-secret', '--', 'x')).toThrow('A --env is not of the form NAME=value.')
  expect(() => entryOf('--header', 'sk-secret', '--url', 'https://example.com')).toThrow(
    'A --header is not of the form Name: value.',
  )
})

test('a setting cannot reach into what every object inherits', () => {
  const entry = entryOf('--set', '__proto__.polluted=1', '--', 'x')
  expect(Object.keys(entry)).toContain('__proto__')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})
