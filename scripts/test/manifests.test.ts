import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { areManifestsCurrent, writeManifests } from '../run/manifests.mjs'

const MANIFEST = 'packages/packs/clock/src/generated/manifest.ts'
const GENERATOR = `import { readFileSync } from 'node:fs'
export const buildManifests = (root) => {
  const text = readFileSync(root + '/packages/packs/clock/src/pack.yaml', 'utf8')
  return [{ path: '${MANIFEST}', content: 'export const manifest = ' + JSON.stringify(text) }]
}
`

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchboard-manifests-'))
  write('packages/toolkit/src/generate/index.ts', GENERATOR)
  write('packages/packs/clock/src/pack.yaml', 'one')
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('the manifests of the packs', () => {
  test('are written whole, and are current from then on', async () => {
    expect(areManifestsCurrent(root)).toBe(false)
    await writeManifests(root)
    expect(readFileSync(join(root, MANIFEST), 'utf8')).toMatch(
      /^\/\/ Inputs: [0-9a-f]{64}\nexport const manifest = "one"$/,
    )
    expect(areManifestsCurrent(root)).toBe(true)
    expect(readdirSync(dirname(join(root, MANIFEST)))).toEqual(['manifest.ts'])
  })

  test.each([
    ['what the tools have in common', 'packages/packs/clock/src/pack.yaml'],
    ['a new tool', 'packages/packs/clock/src/tools/day.meta.yaml'],
    ['a guide', 'packages/packs/clock/guides/zones.md'],
    ['the generator', 'packages/toolkit/src/meta/read.ts'],
    ['another pack', 'packages/packs/other/src/pack.yaml'],
  ])('are built anew after a change of %s', async (_what, path) => {
    await writeManifests(root)
    write(path, 'two')
    expect(areManifestsCurrent(root)).toBe(false)
  })

  test('are not built anew after a change of code, or of what is no pack', async () => {
    await writeManifests(root)
    write('packages/packs/clock/src/tools/day.ts', 'export const day = 1')
    write('packages/packs/notes/src/index.ts', '')
    expect(areManifestsCurrent(root)).toBe(true)
  })

  test('are none where there are no packs', () => {
    rmSync(join(root, 'packages/packs'), { recursive: true })
    expect(areManifestsCurrent(root)).toBe(true)
  })
})
