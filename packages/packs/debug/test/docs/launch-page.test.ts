import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { OrphanGuard } from '@switchboard/process'
import { expect, it } from 'vitest'
import { loadEngines } from '../../src/load-engines.ts'

const PAGE = fileURLToPath(new URL('../../../../../docs/debug-launch.md', import.meta.url))

it('has every type of every engine in docs/debug-launch.md, and no other', async () => {
  const engines = await loadEngines({ guard: new OrphanGuard() })
  const page = await readFile(PAGE, 'utf8')
  const table = page.slice(page.indexOf('| type | here |'))
  const written = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, types = '']) =>
    types.replaceAll('`', '').split(', '),
  )
  const known = new Set(engines.flatMap(({ launchTypes }) => launchTypes))
  expect(written.toSorted()).toEqual([...known].sort())
})
