/** Differences are explained by what the source says, and by nothing else. */
import { describe, expect, test } from 'vitest'
import { explainDifference } from '../src/symbols/known-errors.ts'
import { SourcePlaces } from '../src/symbols/source-places.ts'

type Row = ['ours' | 'ctags', string, string, number, string, string?]

const isExplained = (side: 'ours' | 'ctags', kind: string, name: string, line: number, text: string, language = 'c') =>
  explainDifference(language, { side, kind, name }, new SourcePlaces(text).at(line)) !== undefined

describe('an error of ctags is known', () => {
  test.each([
    ['ctags', 'function', 'TEST', 1, 'TEST(a, b) {\n}\n'],
    ['ctags', 'prototype', 'BIT', 2, 'struct a {\n  BIT(open);\n};\n'],
    ['ctags', 'variable', 'x', 2, 'TEST(a, b) {\n  int x = 1;\n}\n'],
    ['ctags', 'variable', 'GUARDED_BY', 1, 'int x GUARDED_BY(lock);\n'],
    ['ctags', 'prototype', 'size_t', 1, 'size_t (length)(void);\n'],
    ['ours', 'prototype', 'length', 1, 'size_t (length)(void);\n'],
    ['ours', 'function', 'a.b', 1, 'TEST(a, b) {\n}\n'],
    ['ours', 'type', 'small', 4, '#ifdef A\ntypedef int small;\n#else\ntypedef char small;\n#endif\n'],
    ['ours', 'constant', 'NAME', 1, 'pub const NAME: &\'static str = "a";\n', 'rust'],
    ['ctags', 'variable', 'str', 1, 'pub const NAME: &\'static str = "a";\n', 'rust'],
  ] satisfies Row[])('%s %s %s of line %d of %j', (side, kind, name, line, text, language = 'c') => {
    expect(isExplained(side, kind, name, line, text, language)).toBe(true)
  })
})

describe('what is missed, or told and not there, counts', () => {
  test.each([
    ['ctags', 'function', 'run', 1, 'int run(void) {\n}\n'],
    ['ctags', 'function', 'run', 2, 'static int\nrun(void)\n{\n}\n'],
    ['ctags', 'function', 'Box', 1, 'class Box { Box(int x) {} };\n', 'cpp'],
    ['ctags', 'member', 'size', 2, 'struct box {\n  int size;\n};\n'],
    ['ctags', 'macro', 'LIMIT', 1, '#define LIMIT(x) x\n'],
    ['ctags', 'variable', 'x', 1, 'int x = 1;\n'],
    ['ours', 'variable', 'x', 2, 'int run(void) {\n  int x = 1;\n}\n'],
    ['ours', 'function', 'each', 2, 'int run(void) {\n  each(x) { x++; }\n}\n'],
    ['ours', 'variable', 'words', 1, '/* some words */ int x;\n'],
    ['ours', 'function', 'run', 1, '  run(1);\n'],
    ['ctags', 'function', 'run', 1, 'fn run() {}\n', 'rust'],
  ] satisfies Row[])('%s %s %s of line %d of %j', (side, kind, name, line, text, language = 'c') => {
    expect(isExplained(side, kind, name, line, text, language)).toBe(false)
  })
})
