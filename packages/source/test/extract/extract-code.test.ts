/** Real grammars on texts of which everything is known. */
import { describe, expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import type { Extraction } from '../../src/extract/extraction.ts'
import { FIXTURES } from './fixtures.ts'

const extractor = new CodeExtractor({ timeout: 20_000 })

async function extract(path: string, content: Uint8Array | string): Promise<Extraction> {
  const extraction = await extractor.extract(path, content)
  if (extraction === undefined) throw new Error(`${path} was not read.`)
  return extraction
}

const nameAt = ({ symbols }: Extraction, index: number | undefined): string | undefined =>
  index === undefined ? undefined : symbols[index]?.name
const told = (extraction: Extraction): string[] =>
  extraction.symbols.map(({ line, kind, name, parent }) => {
    const above = nameAt(extraction, parent)
    return `${line} ${kind} ${name}${above === undefined ? '' : ` < ${above}`}`
  })
const named = ({ references }: Extraction): string =>
  references.map(({ line, name, isCall }) => `${line} ${name}${isCall === true ? '()' : ''}`).join(', ')

describe.each(FIXTURES)('$path', ({ path, text, symbols, references }) => {
  test('has exactly the symbols and references that it has', async () => {
    const extraction = await extract(path, `${text.join('\n')}\n`)
    expect(told(extraction)).toEqual(symbols)
    expect(named(extraction)).toBe(references)
    expect(extraction.problems).toEqual([])
  })

  test('has the same with the lines of Windows', async () => {
    const extraction = await extract(path, `${text.join('\r\n')}\r\n`)
    expect(told(extraction)).toEqual(symbols)
  })

  test('every place is where the name stands, and every symbol is inside of what it belongs to', async () => {
    const source = Buffer.from(`${text.join('\n')}\n`)
    const extraction = await extract(path, source)
    for (const { name, start, end, line, column, endLine, parent } of extraction.symbols) {
      const whole = source.subarray(start, end).toString()
      const plain = name.replace(/=$|^operator /, '')
      expect(whole).toContain(plain)
      expect(text[line - 1]?.slice(column - 1).replace(/^[:'"]/, '')).toMatch(new RegExp(`^${quoted(plain)}|^operator`))
      expect(endLine).toBe(line + whole.slice(whole.indexOf(plain)).trimEnd().split('\n').length - 1)
      const above = parent === undefined ? undefined : extraction.symbols[parent]
      if (above !== undefined) expect(above.start <= start && end <= above.end).toBe(true)
    }
    for (const { name, start, line, column } of extraction.references) {
      expect(source.subarray(start, start + Buffer.byteLength(name)).toString()).toBe(name)
      expect(text[line - 1]?.slice(column - 1).startsWith(name)).toBe(true)
    }
  })
})

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

test('a call is told with the function that it stands in, and a signature with its definition', async () => {
  const extraction = await extract('a.py', 'def outer(a, *, b: int = 1) -> str:\n    return helper(a)\n')
  expect(extraction.symbols).toMatchObject([
    { name: 'outer', detail: 'def outer(a, *, b: int = 1) -> str', endLine: 2 },
  ])
  expect(extraction.references).toMatchObject([
    { name: 'int', within: 0 },
    { name: 'str', within: 0 },
    { name: 'helper', within: 0, isCall: true, line: 2, column: 12 },
  ])
})

test('places are bytes of the file, whatever it is encoded in', async () => {
  const text = "const größe = '→ 𝒳'; function öffne() { größe() }\n"
  const utf8 = Buffer.from(text)
  const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8])
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  for (const bytes of [utf8, withMark, utf16]) {
    const encoding = bytes === utf16 ? 'utf16le' : 'utf8'
    const { symbols, references } = await extract('a.js', bytes)
    expect(symbols.map(({ name, column }) => [name, column])).toEqual([
      ['größe', 7],
      ['öffne', 32],
    ])
    const [, open] = symbols
    expect(bytes.subarray(open?.start, open?.end).toString(encoding)).toBe('function öffne() { größe() }')
    expect(references).toMatchObject([{ name: 'größe', isCall: true, within: 1, column: 42 }])
    const at = references[0]?.start ?? 0
    expect(bytes.subarray(at, at + Buffer.byteLength('größe', encoding)).toString(encoding)).toBe('größe')
  }
  const old = Buffer.from('int gr\xf6\xdfe;\nint next;\n', 'latin1')
  expect((await extract('a.java', Buffer.from('class \xc4 { int x; }', 'latin1'))).symbols).toMatchObject([
    { name: 'Ä' },
    { name: 'x', start: 10 },
  ])
  expect((await extract('a.c', old)).symbols.at(-1)).toMatchObject({ name: 'next', start: 11 })
})

test('what is declared of the global scope stands in a namespace of that name', async () => {
  const text = 'export {}\ndeclare global {\n  interface Window {\n    box: number\n  }\n}\n'
  const expected = ['2 namespace global', '3 interface Window < global', '4 property box < Window']
  expect(told(await extract('a.ts', text))).toEqual(expected)
})
