/** C as the preprocessor would make it readable, without the preprocessor. */
import { describe, expect, test } from 'vitest'
import { CodeExtractor } from '../../src/extract/code-extractor.ts'
import { readAroundMacros } from '../../src/extract/preprocessed/read-around-macros.ts'

const extractor = new CodeExtractor({ timeout: 20_000 })
const symbolsOf = async (path: string, text: string): Promise<string[]> =>
  ((await extractor.extract(path, text))?.symbols ?? []).map(({ kind, name }) => `${kind} ${name}`)

describe('words that can only be macros are read around', () => {
  test.each([
    ['LUA_API void lua_close(state *L);\n', ['prototype lua_close']],
    ['LUA_API void (lua_settop) (state *L, int at);\n', ['prototype lua_settop']],
    ['static shared size_t count = 0;\n', ['variable count']],
    ['int run(void) NOTHROW;\nint next;\n', ['prototype run', 'variable next']],
    ['ALIGNED(8)\nstatic int table[2];\n', ['variable table']],
    ['struct PACKED box { int size; };\n', ['struct box', 'field size']],
    ['DEFINE_FLAG(int, limit, 256 << 10, "most");\nint next;\n', ['variable next']],
    // These are no macros.
    ['FILE *open_it(DWORD x);\nDWORD y;\nSIZE const z = 1;\n', ['prototype open_it', 'variable y', 'variable z']],
    ['TEST_BEGIN(grows) { int x; }\n', ['function grows']],
    ['TEST(box, grows) { int x; }\n', []],
    ['int f(int x) { if (x) ABORT(1); return x; }\n', ['function f']],
  ])('%j', async (text, expected) => {
    expect(await symbolsOf('a.c', text)).toEqual(expected)
  })

  test('they are references all the same', async () => {
    const { references } = (await extractor.extract('a.c', '\nALIGNED(8) int table(void);\n')) ?? { references: [] }
    expect(references).toMatchObject([{ name: 'ALIGNED', isCall: true, line: 2, column: 1, start: 1 }])
  })
})

describe('branches that do not go together', () => {
  test('of two heads of one function the first counts', async () => {
    const text =
      '#ifdef A\nint run(int x) {\n#else\nint run(void) {\n#endif\n  return 1;\n}\nint next(void) { return 2; }\n'
    expect(await symbolsOf('a.c', text)).toEqual(['function run', 'function next'])
  })

  test('a brace of C++ alone is not there in C', async () => {
    const text =
      '#ifdef __cplusplus\nextern "C" {\n#endif\nint run(void);\n#define LIMIT 1\n#ifdef __cplusplus\n}\n#endif\nint next;\n'
    expect(await symbolsOf('a.c', text)).toEqual(['prototype run', 'macro LIMIT', 'variable next'])
  })

  test('whole ones are all read', async () => {
    const text = '#ifdef A\nint a(void) { return 1; }\n#else\nint b(void) { return 2; }\n#endif\n'
    expect(await symbolsOf('a.c', text)).toEqual(['function a', 'function b'])
  })

  test('a whole file in a guard with a brace too many is not taken away', async () => {
    const body = Array.from({ length: 100 }, (_, number) => `int v${number};`).join('\n')
    expect(await symbolsOf('a.h', `#ifndef A_H\n#define A_H\n${body}\n}\n#endif\n`)).toContain('variable v99')
  })
})

test('everything else stays where it is, whatever the text', () => {
  const texts = [
    'a "b /* c" // d */\n#define X \\\n  } {\n\'"\' /* open',
    '#endif\n#else\n#if\n(((\n#elif x\n}}}',
    'STATIC(\nint x y z',
    '\u0000é→ LUA_API int x;\r\n#if A\r\n{\r\n#endif\r\n',
    '#',
    '',
  ]
  for (const text of texts) {
    const { text: readable } = readAroundMacros(text)
    expect(readable.length).toBe(text.length)
    for (let at = 0; at < text.length; at++) {
      if (readable[at] !== text[at]) expect(readable[at]).toBe(' ')
    }
  }
})

test('the time that it takes grows with the text alone', () => {
  // Finished at all is what counts: in squares these would take minutes.
  for (const piece of ['A(', 'A B ', '#if X\n', 'A<', '(', "'", 'struct ', 'A B(']) {
    expect(readAroundMacros(piece.repeat(200_000)).text.length).toBe(piece.length * 200_000)
  }
})
