import { expect, test } from 'vitest'
import { extractFile } from '../../src/extract/extract-file.ts'
import { bytesOf } from '../support/outline.ts'

test.each([
  ['common/traits/a.txt', 'paradox'],
  ['a mod/common/traits/a.txt', 'paradox'],
  ['gui/shared/a.gui', 'paradox'],
  ['gfx/models/a.asset', 'paradox'],
  ['localization/english/a_l_english.yml', 'paradox-localization'],
  ['localization/replace/french/a_l_french.yml', 'paradox-localization'],
  ['common/traits/_readme.txt', undefined],
  ['gfx/models/Credits for pictures.txt', undefined],
  ['docs/a.txt', undefined],
  ['.github/workflows/ci.yml', undefined],
  ['common/traits/picture.dds', undefined],
])('%s is %s', (path, language) => {
  expect(extractFile(bytesOf('\ufeffa = { }'), path)?.language).toBe(language)
})
