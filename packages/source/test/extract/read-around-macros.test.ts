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

  test.each([
    // Between a type and a name, and after parameters, one after the other.
    ['int CALL run(void);\n', ['prototype run']],
    ['void printf_like(2, 3) log_it(int, ...);\n', ['prototype log_it']],
    ['extern box_t *MUTABLE box;\nint z;\n', ['declaration box', 'variable z']],
    ['int run(void) FIRST SECOND(1);\nint z;\n', ['prototype run', 'variable z']],
    ['void file_close OF((FILE *file));\nint z;\n', ['prototype file_close', 'variable z']],
    ['typedef BOOL (WINAPI *run_t)(int);\n', ['type run_t']],
    ['API text *(*get_text)(reader *from) ATTR;\nint z;\n', ['variable get_text', 'variable z']],
    // A type that a macro makes.
    [
      'typedef tree(node_t) nodes_t;\nstruct box { list(node_t) link; };\n',
      ['type nodes_t', 'struct box', 'field link'],
    ],
    ['typedef unsigned char uint8_t;\n', ['type uint8_t']],
    ['struct box { int size GUARDED_BY(lock); BIT(open); };\n', ['struct box', 'field size']],
    ['typedef __attribute__((aligned(1))) size_t small_t;\n', ['type small_t']],
    // Alone in its line.
    ['BEGIN_DECLS\n\nint run(void);\n\nEND_DECLS\n', ['prototype run']],
    [
      'enum kinds { FIRST, X(SECOND, 2), THIRD DEPRECATED("no") = 3, LIST(MORE) };\n',
      ['enum kinds', 'enumerator FIRST', 'enumerator SECOND', 'enumerator THIRD'],
    ],
    // Made by a block of a macro inside of a function.
    ['int run(int x) { each(x) { x++; } return x; }\n', ['function run']],
  ])('%j', async (text, expected) => {
    expect(await symbolsOf('a.c', text)).toEqual(expected)
  })

  test.each([
    [
      'class EXPORT Box FINAL : public Base { INLINE Box(int x) : x_(x) {} INLINE ~Box(); };\n',
      ['class Box', 'method Box', 'prototype ~Box'],
    ],
    ['inline_it explicit operator bool();\nint z;\n', ['prototype operator bool', 'variable z']],
    ['INLINE Box<T>::Box(int x) : x_{x} {}\nint z;\n', ['function Box', 'variable z']],
    ['struct A { operator const char *() const; };\n', ['struct A', 'prototype operator const char*']],
    ['template class Box<int>;\nextern template void Box<int>::open(int x);\nint z;\n', ['variable z']],
    ['TEST(BoxTest, Opens) {\n  open();\n}\n', ['function BoxTest.Opens']],
    ['export module box;\nexport namespace a::b { int z; }\n', ['namespace b', 'variable z']],
    ['struct alignas(8) Box { int size; };\n', ['struct Box', 'field size']],
  ])('%j in C++', async (text, expected) => {
    expect(await symbolsOf('a.cc', text)).toEqual(expected)
  })

  test('a header without a word of C++ is read as C, where both may be meant', async () => {
    const pointer = 'void (*on_close)(box *closed);\n'
    expect(await symbolsOf('a.h', pointer)).toEqual(['variable on_close'])
    expect(await symbolsOf('b.h', 'namespace a { class Box { public: int size; }; }\n')).toEqual([
      ...['namespace a', 'class Box', 'field size'],
    ])
  })

  test('macros are told wherever they are defined, with the comments in them', async () => {
    const text =
      'int list[] = {\n#define ITEM(x, /* y */ z) x,\n  ITEM(1, 2)\n#undef ITEM\n};\n#define LIMIT 1 /* the\n most */\nint z;\n'
    expect(await symbolsOf('a.c', text)).toEqual(['variable list', 'macro ITEM', 'macro LIMIT', 'variable z'])
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

  test('in the midst of an expression the first counts', async () => {
    const text = 'bool is_on =\n#ifdef A\n  true\n#else\n  false\n#endif\n;\nint next;\n'
    expect(await symbolsOf('a.c', text)).toEqual(['variable is_on', 'variable next'])
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
      if (text[at] === '\n') expect(readable[at]).toBe('\n')
    }
  }
})

test('the time that it takes grows with the text alone', () => {
  // Finished at all is what counts: in squares these would take minutes.
  for (const piece of [
    'A(',
    'A B ',
    '#if X\n',
    'A<',
    '(',
    "'",
    'struct ',
    'A B(',
    'A::',
    'FOO\n',
    'FOO(x)\n',
    'A F((',
    'template<',
    'enum {A(',
    'class A ',
    '__attribute__((',
  ]) {
    expect(readAroundMacros(piece.repeat(50_000)).text.length).toBe(piece.length * 50_000)
  }
})
