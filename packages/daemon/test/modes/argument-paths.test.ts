import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findArgumentPaths, MAX_PATHS } from '../../src/modes/argument-paths.ts'

const find = (args: unknown) => findArgumentPaths(args, posix.isAbsolute)

describe('a path among arguments', () => {
  it.each<[string, unknown, string[]]>([
    ['absolute, under any name', { where: '/etc/x' }, ['/etc/x']],
    ['below the home folder', { where: '~/x', at: '~' }, ['~/x', '~']],
    ['a file: URI in any case', { link: 'FILE:///etc/x' }, ['FILE:///etc/x']],
    ['at any depth', { edits: [{ to: [{ x: '/deep' }] }] }, ['/deep']],
    ['a relative one by the name of its parameter', { path: 'a/b', file: 'c', dir: 'd' }, ['a/b', 'c', 'd']],
    [
      'by the last word of the name',
      { new_path: 'a', outputDir: 'b', 'target-file': 'c', PATH2: 'd' },
      ['a', 'b', 'c', 'd'],
    ],
    ['in a list under such a name', { paths: ['a', 'b'] }, ['a', 'b']],
    ['as a key of an object', { files: { '/etc/x': 'text' } }, ['/etc/x']],
    ['in a place that may be a URI', { source: 'a/b', uri: 'file:///x', destination: 'c' }, ['a/b', 'file:///x', 'c']],
    ['even if it looks like a URI, under the name of a path', { path: 'x://../../etc' }, ['x://../../etc']],
    ['once, however often it is there', { path: '/a', file: '/a', x: '/a' }, ['/a']],
  ])('is found: %s', (_title, args, paths) => {
    expect(find(args)).toEqual(paths)
  })

  it.each<[string, unknown]>([
    ['a word', { name: 'x', mode: 'fast', count: 3, flag: true, nothing: null }],
    ['a URI of another scheme', { uri: 'https://example.com/a', source: 'git+ssh://host/x', url: 'http://h/' }],
    ['content that begins like one', { content: '/* a comment */', file_text: '// x', newText: '/etc', body: '~/x' }],
    ['a text of several lines', { note: '/first\n/second' }],
    ['nothing at all', undefined],
    ['an empty path', { path: '' }],
  ])('is not: %s', (_title, args) => {
    expect(find(args)).toEqual([])
  })

  it('is found by what Windows calls absolute, there', () => {
    const args = { a: 'C:\\x', b: 'c:/x', c: '\\\\host\\share', d: 'plain' }
    expect(findArgumentPaths(args, win32.isAbsolute)).toEqual(['C:\\x', 'c:/x', '\\\\host\\share'])
  })

  it('is not looked for without an end', () => {
    const paths = Array.from({ length: 50_000 }, (_, index) => `/p${index}`)
    expect(find({ paths })).toHaveLength(MAX_PATHS + 1)
  })
})
