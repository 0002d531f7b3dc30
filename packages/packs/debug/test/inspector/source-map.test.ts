import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadSourceMap, SourceMap } from '../../src/inspector/source-map.ts'

const FOLDER = resolve('project')
const GENERATED = join(FOLDER, 'dist', 'app.js')
const SOURCE = join(FOLDER, 'src', 'app.ts')

/** Generated line 1 comes of line 3, column 2; generated line 2 of line 5. */
const MAP = { version: 3 as const, names: [], sources: ['../src/app.ts'], mappings: 'AAEE;AAEA' }

describe('a source map', () => {
  test('leads to the source and back', () => {
    const map = new SourceMap(MAP, GENERATED)
    expect(map.sources).toEqual([SOURCE])
    expect(map.toOriginal({ line: 1, column: 4 })).toEqual({ path: SOURCE, line: 3, column: 2 })
    expect(map.toGenerated(SOURCE, 3)).toEqual({ line: 3, places: [{ line: 1, column: 0 }] })
  })

  test('moves a line without code to the next one that has some', () => {
    const map = new SourceMap(MAP, GENERATED)
    expect(map.toGenerated(SOURCE, 4)).toMatchObject({ line: 5, places: [{ line: 2 }] })
    expect(map.toGenerated(SOURCE, 6)).toBeUndefined()
    expect(map.toGenerated(join(FOLDER, 'src', 'other.ts'), 3)).toBeUndefined()
  })

  test.each([
    ['a root', { ...MAP, sourceRoot: '../src', sources: ['app.ts'] }],
    ['an absolute path', { ...MAP, sources: [SOURCE] }],
    ['an address', { ...MAP, sources: [pathToFileURL(SOURCE).href] }],
    ['sections', { version: 3 as const, sections: [{ offset: { line: 0, column: 0 }, map: MAP }] }],
  ])('finds its source by %s', (_, content) => {
    const map = new SourceMap(content, GENERATED)
    expect(map.sources).toEqual([SOURCE])
    expect(map.toOriginal({ line: 1, column: 0 })?.path).toBe(SOURCE)
  })

  test('knows no file for a source that is none', () => {
    const map = new SourceMap({ ...MAP, sources: ['webpack://app/src/app.ts'] }, GENERATED)
    expect(map.sources).toEqual([])
    expect(map.toOriginal({ line: 1, column: 0 })).toBeUndefined()
  })

  test('is read from a data address, encoded in either way', async () => {
    const text = JSON.stringify(MAP)
    const base64 = `data:application/json;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`
    expect((await loadSourceMap(base64, GENERATED))?.sources).toEqual([SOURCE])
    expect((await loadSourceMap(`data:application/json,${encodeURIComponent(text)}`, GENERATED))?.sources).toEqual([
      SOURCE,
    ])
  })

  test.each(['nowhere.map', 'https://example.com/app.js.map', 'data:application/json,{{', 'data:,[]', 'http://[bad'])(
    'is none at %s',
    async (url) => {
      expect(await loadSourceMap(url, GENERATED)).toBeUndefined()
    },
  )
})
