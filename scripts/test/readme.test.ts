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

test('every number of the table of benchmarks stands in the report beside it', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (.*) \| (.*) \| \[\w+\]\((bench\/results\/\w+\.md)\) \|$/gm)]
  expect(rows.length).toBeGreaterThan(6)
  const unknown = rows.flatMap(([, what = '', measured = '', report = '']) => {
    const numbers = measured.match(/\d+(?:\.\d+)?/g) ?? []
    const known: string[] = readFileSync(join(root, report), 'utf8').match(/\d+(?:\.\d+)?/g) ?? []
    return numbers.filter((number) => !known.includes(number)).map((number) => `${what}: ${number}`)
  })
  expect(unknown).toEqual([])
})
