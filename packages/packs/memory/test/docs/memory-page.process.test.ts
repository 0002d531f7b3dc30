import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createRepository } from '../helpers/git-repository.ts'
import { openMemoryBench } from '../helpers/memory-bench.ts'

const PAGE = fileURLToPath(new URL('../../../../../docs/memory.md', import.meta.url))
const EXAMPLE = /^```call\n(\w+) ([^\n]*)\n```\n\n```answer\n(.*?)\n```$/gms

/** What differs from run to run. */
function normalise(text: string): string {
  return text
    .replace(/\b[0-9a-hjkmnp-tv-z]{12}\b/g, '<id>')
    .replace(/\bat [0-9a-f]{9}\b/g, 'at <commit>')
    .replace(/\b(?:just now|\d+ (?:min|h|d) ago)/g, '<age>')
}

test('every call that docs/memory.md shows has the answer that stands there', async () => {
  await using bench = await openMemoryBench()
  const project = join(bench.folder, 'project')
  await mkdir(project)
  await createRepository(project, 'main', { 'parser.ts': 'one' })
  await writeFile(join(project, 'parser.ts'), 'another')
  const examples = [...(await readFile(PAGE, 'utf8')).matchAll(EXAMPLE)]
  expect(examples.length).toBeGreaterThanOrEqual(4)
  for (const [, tool = '', args = '', shown = ''] of examples) {
    const { text } = await bench.call(tool, JSON.parse(args), project)
    expect(normalise(text)).toBe(normalise(shown))
  }
})
