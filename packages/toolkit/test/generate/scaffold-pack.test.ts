import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { readPack, scaffoldPack } from '../../src/generate/index.ts'

const REFERENCES = `{
  "files": [],
  "references": [
    { "path": "packages/packs/debug" },
    { "path": "packages/daemon" }
  ]
}
`
const DAEMON = { name: '@switchboard/daemon', dependencies: { '@switchboard/pack-debug': '0.1.0', ws: '8.0.0' } }
const LOCKFILE = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'switchboard' },
    'node_modules/@switchboard/daemon': { resolved: 'packages/daemon', link: true },
    'node_modules/ws': { version: '8.0.0' },
    'packages/daemon': DAEMON,
    'packages/packs/debug': { name: '@switchboard/pack-debug' },
  },
}

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function createClone(): Promise<string> {
  const directory = await createTemporaryDirectory()
  cleanups.push(() => directory.remove())
  const root = directory.path
  write(root, 'tsconfig.json', REFERENCES)
  write(root, 'tsconfig.tests.json', REFERENCES)
  write(root, 'packages/daemon/tsconfig.json', '{\n  "references": [\n    { "path": "../packs/debug" }\n  ]\n}\n')
  write(root, 'packages/daemon/package.json', JSON.stringify(DAEMON))
  write(root, 'package-lock.json', JSON.stringify(LOCKFILE))
  return root
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('a new pack', () => {
  it('passes every check of the declarations as it is, with nothing left to fill in', async () => {
    const root = await createClone()
    const { tool, directory, packageName, files } = scaffoldPack(root, 'web-pages')
    expect({ tool, directory, packageName }).toEqual({
      tool: 'web_pages_echo',
      directory: 'packages/packs/web-pages',
      packageName: '@switchboard/pack-web-pages',
    })
    for (const { path, content } of files) {
      expect(content).not.toMatch(/TODO|FIXME|\.\.\./)
      write(root, path, content)
    }
    const pack = readPack(root, directory)
    expect(pack.tools.map(({ declaration }) => declaration.name)).toEqual([tool])
    expect(pack.guides.map(({ id }) => id)).toEqual(['first-steps'])
  })

  it('takes its place behind the other packs in the lists of the compiler', async () => {
    const root = await createClone()
    const { changes } = scaffoldPack(root, 'clock')
    const texts = new Map(changes.map(({ path, content }) => [path, content]))
    for (const path of ['tsconfig.json', 'tsconfig.tests.json']) {
      expect(texts.get(path)).toBe(
        REFERENCES.replace('packs/debug" },', 'packs/debug" },\n    { "path": "packages/packs/clock" },'),
      )
    }
    expect(texts.get('packages/daemon/tsconfig.json')).toBe(
      '{\n  "references": [\n    { "path": "../packs/debug" },\n    { "path": "../packs/clock" }\n  ]\n}\n',
    )
  })

  it('is a dependency of the daemon, and in the lockfile what npm would write of it', async () => {
    const root = await createClone()
    const { changes, files } = scaffoldPack(root, 'clock')
    const read = (path: string) => JSON.parse(changes.find((file) => file.path === path)?.content ?? '')
    const dependencies = { '@switchboard/pack-clock': '0.1.0', ...DAEMON.dependencies }
    expect(read('packages/daemon/package.json')).toEqual({ ...DAEMON, dependencies })
    expect(Object.keys(read('packages/daemon/package.json').dependencies)).toEqual(Object.keys(dependencies))
    const { packages } = read('package-lock.json')
    expect(Object.keys(packages)).toEqual([
      '',
      'node_modules/@switchboard/daemon',
      'node_modules/@switchboard/pack-clock',
      'node_modules/ws',
      'packages/daemon',
      'packages/packs/clock',
      'packages/packs/debug',
    ])
    expect(packages['packages/daemon'].dependencies).toEqual(dependencies)
    expect(packages['node_modules/@switchboard/pack-clock']).toEqual({ resolved: 'packages/packs/clock', link: true })
    const own = JSON.parse(files.find(({ path }) => path.endsWith('/package.json'))?.content ?? '')
    expect(own).toMatchObject(packages['packages/packs/clock'])
  })

  it('is what docs/packs.md shows', async () => {
    const { files } = scaffoldPack(await createClone(), 'notes')
    const page = readFileSync(new URL('../../../../docs/packs.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n')
    const fences = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text]) => text)
    const shown = ['pack.ts', 'open-pack.ts', 'config.ts'].map(
      (name) => files.find(({ path }) => path.endsWith(`/src/${name}`))?.content,
    )
    expect(fences.slice(1)).toEqual(shown)
    for (const { path } of files.filter((file) => /\/src\/[^/]+$|guides/.test(file.path) && !/index/.test(file.path))) {
      const inPack = path.slice('packages/packs/notes/'.length)
      expect(page).toContain(inPack.startsWith('guides') ? '`guides/*.md`' : `\`${inPack}\``)
    }
  })

  it.each(['Clock', 'my_clock', '../clock', 'clock-', '9clock', ''])('is refused by the name "%s"', async (name) => {
    const root = await createClone()
    expect(() => scaffoldPack(root, name)).toThrow(`"${name}" is no name of a pack`)
  })

  it('never takes the place of a folder that exists', async () => {
    const root = await createClone()
    write(root, 'packages/packs/clock/notes.txt', 'mine')
    expect(() => scaffoldPack(root, 'clock')).toThrow('packages/packs/clock exists already')
    expect(readFileSync(join(root, 'packages/packs/clock/notes.txt'), 'utf8')).toBe('mine')
  })
})
