import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './workspace.ts'

test('the README names npm start and npm test, and no other npm command', () => {
  const path = join(root, 'README.md')
  expect(existsSync(path), 'README.md does not exist: write it').toBe(true)
  const commands = readFileSync(path, 'utf8').match(/\bnpm (?:run )?(?:[a-z][\w:-]*)/g) ?? []
  const inCode = commands.filter((command) => /^npm (?:run |start\b|test\b|install\b|ci\b|i\b|exec\b)/.test(command))
  expect([...new Set(inCode)].sort()).toEqual(['npm start', 'npm test'])
})
