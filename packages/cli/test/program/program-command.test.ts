import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { programCommand } from '../../src/program/program-command.ts'

test('the command is given by absolute paths that exist', () => {
  const [node = '', program = '', ...rest] = programCommand('mcp')
  expect(rest).toEqual(['mcp'])
  for (const path of [node, program]) {
    expect(isAbsolute(path)).toBe(true)
    expect(existsSync(path)).toBe(true)
  }
})
