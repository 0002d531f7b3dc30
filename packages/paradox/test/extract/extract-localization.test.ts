import { expect, test } from 'vitest'
import { extractLocalization } from '../../src/extract/extract-localization.ts'
import { bytesOf } from '../support/outline.ts'

const PATH = 'localization/english/a_l_english.yml'

test('texts hang on their language, and end at the last quotation mark of their line', () => {
  const text = '\ufeffl_english: # mine\n # none\n\n a:0 "one"\n b.t: "say "hi" now" # why\n  c_\'-x:12   ""\n'
  const { symbols, problems, language } = extractLocalization(bytesOf(text), PATH)
  expect(language).toBe('paradox-localization')
  expect(problems).toEqual([])
  expect(symbols.map(({ name, kind, detail, parent, line }) => [name, kind, detail, parent, line])).toEqual([
    ['l_english', 'language', undefined, undefined, 1],
    ['a', 'localization', 'one', 0, 4],
    ['b.t', 'localization', 'say "hi" now', 0, 5],
    ["c_'-x", 'localization', '', 0, 6],
  ])
})

test('a text names other texts, concepts, and what its functions name', () => {
  const text = `\ufeffl_english:\n a: "é $other|U$ [GetTrait('brave').GetName] [Custom('Word')] [faith|E] @gold! [Concept('x','y')|E] [Unknown('z')]"\n`
  const { references } = extractLocalization(bytesOf(text), PATH)
  expect(references.map(({ name, kinds }) => `${name}: ${kinds?.join(' ')}`)).toEqual([
    'other: localization engine',
    'brave: trait',
    'Word: customizable_localization',
    'faith: game_concept engine',
    'gold: gui_text_icon engine',
    'x: game_concept',
  ])
  expect(references[0]).toMatchObject({ line: 2, column: 9, within: 1 })
})

test.each([
  ['l_english:\n a: "b"\n', PATH, 'encoding.missing-bom', 1],
  ['\ufeff a: "b"\n', PATH, 'localization.missing-header', 1],
  ['\ufeffl_english:\n a "b"\n', PATH, 'localization.malformed-entry', 2],
  ['\ufeffl_english:\n a: b\n', PATH, 'localization.missing-text', 2],
  ['\ufeffl_english:\n a: "b\n c: "d"\n', PATH, 'localization.unclosed-text', 2],
  ['\ufeffl_english:\n a: "b" c\n', PATH, 'localization.text-after-end', 2],
  ['\ufeffl_french:\n a: "b"\n', PATH, 'localization.language-differs', 1],
  ['\ufeffl_english:\n a: "b"\n', 'localization/english/a.yml', 'localization.file-name', 1],
  ['\ufeffl_english:\n a: "b"\n', 'localisation/english/a_l_english.yml', 'localization.folder-name', 1],
])('%j in %s has one problem: %s', (text, path, code, line) => {
  const { problems } = extractLocalization(bytesOf(text), path)
  expect(problems).toMatchObject([{ code, line }])
  expect(problems[0]?.hint).toBeTruthy()
})
