import { expect, test } from 'vitest'
import { AREAS, PATTERNS } from '../../src/diagnosis/patterns/index.ts'
import { createPatternsDocument } from '../../src/diagnosis/patterns-document.ts'

test('the page has every area and every pattern, each in a row of four cells', () => {
  const page = createPatternsDocument()
  const rows = page.split('\n').filter((line) => line.startsWith('| **'))
  expect(rows).toHaveLength(PATTERNS.length)
  for (const row of rows) expect(row.split(/(?<!\\)\|/), row).toHaveLength(6)
  for (const area of Object.keys(AREAS)) expect(page).toContain(`\n## ${area}\n`)
})
