import { expect, test } from 'vitest'
import { findDiagnostics } from '../../src/diagnostics/find-diagnostics.ts'
import { createIndex, type LayerFiles } from '../support/playset.ts'

const GAME: LayerFiles = {
  name: 'game',
  kind: 'game',
  files: {
    'common/traits/00.txt': 'brave = { }\n',
    'common/decisions/00.txt':
      'old = { is_shown = { has_trait = brave culture = culture:norse culture = culture:odd } }\n',
    'common/culture/cultures/00.txt': 'norse = { }\n',
    'common/scripted_effects/same.txt': 'game_effect = { }\n',
    'localization/english/game_l_english.yml': 'l_english:\n trait_brave: "Brave"\n old: "Old"\n',
  },
}
const MOD: LayerFiles = {
  name: 'mod',
  files: {
    'common/traits/mod.txt': 'bold = { }\nnamed = { name = other desc = other }\n',
    'common/decisions/mod.txt':
      'mine = {\n\teffect = {\n\t\tadd_trait = brave\n\t\tadd_trait = bolt\n\t\tadd_trait = $T$\n\t\tculture = culture:nors\n\t\tlocal_one = { A = 1 }\n\t\tcustom = word_only\n\t}\n}\n',
    'events/mod.txt':
      'namespace = m\nscripted_effect local_one = { }\nm.1 = { title = m.1.t desc = m.1.d }\nm.1 = { }\n',
    'localization/english/mod_l_english.yml':
      'l_english:\n trait_bold: "Bold"\n mine: "Mine" \n mine_tooltip: ""\n mine_confirm: ""\n m.1.t: "T"\n word_only: ""\n left_over_key: ""\n bold_of_something: ""\n other: ""\n',
  },
}
const linesOf = (layers: readonly LayerFiles[]): string[] =>
  findDiagnostics(createIndex(layers)).diagnostics.map(
    ({ code, path, line, name }) => `${code} ${path}:${line} ${name}`,
  )

test('what the whole playset shows, and nothing else', () => {
  const index = createIndex([GAME, MOD])
  const report = findDiagnostics(index)
  expect(linesOf([GAME, MOD]).sort()).toEqual(
    [
      'definition.duplicate events/mod.txt:4 m.1',
      'localization.missing common/traits/mod.txt:1 trait_bold_desc',
      'localization.unused localization/english/mod_l_english.yml:8 left_over_key',
      'reference.unknown common/decisions/mod.txt:4 bolt',
      'reference.unknown events/mod.txt:3 m.1.d',
    ].sort(),
  )
  // The game names a culture that nobody defines, so a mod that does is not told off.
  expect(report.notJudged).toEqual(["references to culture: in the game's own files some are unknown too"])
  expect(report.completeness).toBe('complete')
})

test('without the game, nothing is said about what nobody defines, and that it is not said is', () => {
  const report = findDiagnostics(createIndex([MOD]))
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['definition.duplicate'])
  expect(report.completeness).toBe('unknown')
  expect(report.notJudged).toHaveLength(1)
})

test('a text that the game itself does not have for its own things is not asked for', () => {
  const many = (text: (index: number) => string): string =>
    Array.from({ length: 30 }, (_, index) => text(index)).join('')
  const game: LayerFiles = {
    name: 'game',
    kind: 'game',
    files: {
      'common/traits/00.txt': many((index) => `t${index} = { }\n`),
      'localization/english/game_l_english.yml': `l_english:\n${many((index) => ` trait_t${index}: ""\n`)}`,
    },
  }
  const mod = {
    name: 'mod',
    files: { 'common/traits/mod.txt': 'bold = { }\n', 'localization/english/m_l_english.yml': 'l_english:\n x: ""\n' },
  }
  const report = findDiagnostics(createIndex([game, mod]))
  const missing = report.diagnostics.filter(({ code }) => code === 'localization.missing')
  expect(missing.map(({ name }) => name)).toEqual(['trait_bold'])
  expect(report.notJudged).toEqual(['texts for trait trait_{}_desc: the game itself lacks some'])
})

test('a file that hides another and loses its keys is told, unless its mod is made for that', () => {
  const other = (dependencies: readonly string[]): LayerFiles => ({
    name: 'other',
    dependencies,
    files: { 'common/traits/mod.txt': 'else = { }\n' },
  })
  const shadows = (layers: readonly LayerFiles[]) => linesOf(layers).filter((line) => line.startsWith('file.'))
  expect(shadows([MOD, other([])])).toEqual(['file.shadow-loses-keys common/traits/mod.txt:1 common/traits/mod.txt'])
  expect(shadows([MOD, other(['mod'])])).toEqual([])
})
