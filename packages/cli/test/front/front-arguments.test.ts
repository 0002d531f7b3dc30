import { describe, expect, test } from 'vitest'
import { readFrontArguments } from '../../src/front/front-arguments.ts'

test.each([
  [['mcp'], {}],
  [['mcp', '--profile', 'small'], { profile: 'small' }],
  [['--home', '/h', 'mcp', '--profile=small', '--timeout', '90s'], { home: '/h', profile: 'small', timeout: '90s' }],
  [['mcp', '--workspace=-odd', '--no-color'], { workspace: '-odd' }],
  [['mcp', '--config', 'c.json'], { config: 'c.json' }],
])('%j is for the front', (argv, texts) => {
  const options = readFrontArguments(argv)
  for (const [name, value] of Object.entries(texts)) expect(options?.text(name)).toBe(value)
  expect(options).toBeDefined()
})

describe('is left to the command, which knows what to say:', () => {
  test.each([
    [['status']],
    [['mcp', '--standalone']],
    [['mcp', '--help']],
    [['mcp', '-h']],
    [['help', 'mcp']],
    [['mcp', 'mcp']],
    [['mcp', '--profil', 'x']],
    [['mcp', '--profile']],
    [['mcp', '--profile=']],
    [['mcp', '--profile', '--json']],
    [['mcp', '--json=1']],
    [['mcp', '--', 'x']],
    [['call', 'mcp']],
    [['--home', 'mcp']],
    [[]],
  ])('%j', (argv) => {
    expect(readFrontArguments(argv)).toBeUndefined()
  })
})
