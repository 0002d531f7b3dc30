import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './workspace.ts'

test('the README names npm start and npm test, how the package is made and installed, and no other npm command', () => {
  const path = join(root, 'README.md')
  expect(existsSync(path), 'README.md does not exist: write it').toBe(true)
  const commands = readFileSync(path, 'utf8').match(/\bnpm (?:run )?(?:[a-z][\w:-]*)/g) ?? []
  const inCode = commands.filter((command) =>
    /^npm (?:run |start\b|test\b|install\b|ci\b|i\b|exec\b|pack\b)/.test(command),
  )
  expect([...new Set(inCode)].sort()).toEqual(['npm i', 'npm pack', 'npm start', 'npm test'])
})
