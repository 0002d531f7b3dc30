import { cp, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { findCtags } from '../src/symbols/ctags.ts'
import type { SymbolsReport } from '../src/symbols/report.ts'
import { runBenchmark } from './support/run-benchmark.ts'

const ctags = await findCtags()
const reason = 'needs Universal Ctags: apt-get install universal-ctags'
const fixtures = fileURLToPath(new URL('../../packages/packs/debug/test/fixtures', import.meta.url))

test.skipIf(ctags === undefined)(
  `of our own programs in five languages we tell exactly the symbols that ctags tells${ctags === undefined ? ` (${reason})` : ''}`,
  async () => {
    await using folder = await createTemporaryDirectory()
    for (const language of ['cpp', 'go', 'python', 'ruby', 'rust']) {
      await cp(`${fixtures}/${language}`, folder.file('data', language), { recursive: true })
    }
    const args = ['--quick', '--json', '--data', folder.file('data'), '--output', folder.path]
    const { code, stdout, stderr } = await runBenchmark('symbols', ...args)
    expect(code, stderr).toBe(0)
    const { rows, rates } = JSON.parse(stdout) as SymbolsReport
    expect(rows.map(({ language, recall, precision }) => [language, recall, precision])).toEqual([
      ['cpp', 1, 1],
      ['go', 1, 1],
      ['python', 1, 1],
      ['ruby', 1, 1],
      ['rust', 1, 1],
    ])
    expect(rows.every(({ both }) => both > 10)).toBe(true)
    expect(rates).toMatchObject([
      { threads: 1, files: 5 },
      { threads: 2, files: 5, symbols: rates[0]?.symbols },
    ])
    expect(await readFile(folder.file('symbols.md'), 'utf8')).toContain('| rust ')
  },
)
