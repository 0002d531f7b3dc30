/** A playset with every policy and every class of conflict: exactly these, and no other. */
import { expect, test } from 'vitest'
import { EngineVerdicts } from '../../src/conflicts/engine-verdicts.ts'
import { compareWithEngine, findConflicts } from '../../src/conflicts/find-conflicts.ts'
import { createIndex, show } from '../support/playset.ts'

const index = createIndex([
  {
    name: 'game',
    kind: 'game',
    files: {
      'common/traits/00_traits.txt': 'brave = { index = 1 }\ncraven = { index = 2 }\n',
      'common/traits/01_more.txt': 'shy = { index = 3 }\n',
      'common/on_action/00.txt': 'on_birth = {\n\tevents = { a.1 }\n\teffect = { add_gold = 1 }\n}\n',
      'common/defines/00.txt': 'NGame = { SPEED = 1 SIZE = 2 }\n',
      'common/nicknames/00.txt': 'nick_old = { }\n',
      'common/nicknames/deep/00.txt': 'nick_deep = { }\n',
      'gui/00_types.gui': 'types T { type bar = widget { size = { 1 1 } } }\n',
      'events/game_events.txt': 'namespace = a\na.1 = { type = character_event }\n',
      'history/characters/00.txt': '100 = { name = "A" }\n',
      'history/titles/00.txt': 'k_x = { 1000.1.1 = { holder = 100 } }\n',
      'localization/english/game_l_english.yml': 'l_english:\n brave: "Brave"\n craven: "Craven"\n shy: "Shy"\n',
    },
  },
  {
    name: 'A',
    files: {
      'descriptor.mod': 'name="A"\n',
      '.git/config': '',
      'tools/notes.txt': 'a',
      'common/traits/_traits.info': 'a',
      'common/traits/README.txt': 'a',
      // Read before the game's 01_more.txt, so it loses, although the mod is the higher layer.
      'common/traits/00_a.txt': 'shy = { index = 30 }\nown = { a = b }\nown = { a = c }\n',
      'common/traits/zz_a.txt': 'brave = { index = 1 } # the same\n',
      'common/scripted_effects/same_path.txt': 'kept_effect = { add_gold = 1 }\nlost_effect = { add_gold = 2 }\n',
      'common/decisions/a.txt': 'call_it = { effect = { lost_effect = { X = 1 } } }\n@v = 1\n',
      'common/on_action/a.txt': 'on_birth = {\n\tevents = { a.2 }\n\teffect = { add_gold = 5 }\n}\n',
      'common/defines/a.txt': 'NGame = { SPEED = 9 }\n',
      'common/script_values/a.txt': 'price = 5\n',
      'common/script_values/sub/a.txt': 'price_deep = 5\n',
      'common/buildings/b.txt': 'tower = { cost = 1 levels = 2 }\n',
      'gui/zz_types.gui': 'types T { type bar = widget { size = { 2 2 } } }\n',
      'events/a_events.txt':
        'namespace = a\na.1 = { type = letter_event }\nscripted_trigger mine = { x = y }\n@v = 2\n',
      'history/characters/a.txt': '100 = { name = "B" }\n',
      'history/titles/a.txt': 'k_x = { 1100.1.1 = { holder = 0 } }\n',
      'localization/english/a_l_english.yml': 'l_english:\n brave: "Bold"\n',
      'localization/replace/english/a_l_english.yml': 'l_english:\n craven: "Timid"\n',
      'localization/english/sub/a_l_english.yml': 'l_english:\n shy: "Coy"\n',
      'localization/french/a_l_french.yml': 'l_french:\n brave: "Brave"\n',
    },
  },
  {
    name: 'B',
    replacePaths: ['common/nicknames'],
    files: {
      'descriptor.mod': 'name="B"\n',
      '.git/config': '',
      'tools/notes.txt': 'b',
      'common/traits/_traits.info': 'b',
      'common/traits/README.txt': 'b',
      'common/scripted_effects/same_path.txt': 'kept_effect = { add_gold = 3 }\n',
      'common/decisions/b.txt': '@v = 3\n',
      'common/script_values/z.txt': 'price = 7\n',
      'common/script_values/tz.txt': 'price_deep = 9\n',
      'common/buildings/a.txt': 'tower = { cost = 2 name = x }\n',
      'events/b_events.txt': 'scripted_trigger mine = { z = y }\n',
    },
  },
  {
    name: 'A and B together',
    dependencies: ['A', 'B'],
    files: { 'common/script_values/zz.txt': 'price = 6\n' },
  },
])

const EXPECTED = [
  'file_shadow | file common/scripted_effects/same_path.txt | B/same_path.txt > A/same_path.txt | high | differs | lost lost_effect',
  'dangling | scripted_effect lost_effect | - > A/same_path.txt | high',
  'duplicate_forbidden | character 100 | - > game/00.txt A/a.txt | high | differs',
  // a_events.txt comes before game_events.txt: an event of the game is not replaced, the first one stays.
  'duplicate_forbidden | event a.1 | A/a_events.txt > game/game_events.txt | medium | differs',
  'duplicate_forbidden | trait own | A/00_a.txt > A/00_a.txt | high | differs',
  'order_uncertain(loc_key) | localization shy@english | game/game_l_english.yml > A/a_l_english.yml | medium | differs',
  'order_uncertain(key_override) | script_value price_deep | A/a.txt > B/tz.txt | medium | differs',
  'gui_first_wins | gui_type bar | game/00_types.gui > A/zz_types.gui | high | differs',
  'key_override | building tower | A/b.txt > B/a.txt | high | differs',
  'key_override | trait shy | game/01_more.txt > A/00_a.txt | high | differs',
  'slot | define NGame|SPEED | A/a.txt > game/00.txt | high | differs | game',
  'key_override | trait brave | A/zz_a.txt > game/00_traits.txt | high | identical | game',
  'loc_key | localization brave@english | A/a_l_english.yml > game/game_l_english.yml | medium | differs | game',
  'loc_key | localization craven@english | A/a_l_english.yml > game/game_l_english.yml | medium | differs | game',
  'replace_path | file common/nicknames/00.txt | - > game/00.txt | high | game | lost nick_old',
  'slot | on_action on_birth.effect | A/a.txt > game/00.txt | high | differs | game',
  'key_override | script_value price | A and B together/zz.txt > B/z.txt A/a.txt | high | differs | dependency',
]

test('every class and every policy is told, with the definition in effect', () => {
  expect(
    findConflicts(index)
      .map((conflict) => show(conflict, index))
      .sort(),
  ).toEqual([...EXPECTED].sort())
})

test('harmful ones come first', () => {
  const classes = findConflicts(index).map((conflict) => conflict.class)
  expect(classes.slice(0, 2)).toEqual(['file_shadow', 'dangling'])
})

test('fields that differ are told one by one', () => {
  const tower = findConflicts(index).find(({ name }) => name === 'tower')
  expect(tower?.fields).toEqual([
    { field: 'cost', change: 'changed', loser: 'cost = 2', effective: 'cost = 1' },
    { field: 'name', change: 'removed', loser: 'name = x' },
    { field: 'levels', change: 'added', effective: 'levels = 2' },
  ])
})

test('sorted by the whole path, sub-folders stand among the files', () => {
  const conflict = findConflicts(index, { order: 'plain-path' }).find(({ name }) => name === 'price_deep')
  expect(show(conflict ?? expect.fail('not found'), index)).toBe(
    'order_uncertain(key_override) | script_value price_deep | B/tz.txt > A/a.txt | medium | differs',
  )
})

const LOG = `[18:43:12][W][gamedatabase.h:321]: Overriding entry 'shy' for database 'common/traits' in 'file: common/traits/01_more.txt line: 1'
[18:43:12][W][game_database.h:272]: Overriding entry 'price_deep' for database 'common/script_values' in 'file: common/script_values/tz.txt line: 1'
[18:43:13][W][gamedatabase.h:321]: Overriding entry 'tower' for database 'common/buildings' in 'file: common/buildings/a.txt line: 1'
[18:43:13][W][gamedatabase.h:321]: Overriding entry 'not_here' for database 'common/buildings' in 'file: common/buildings/q.txt line: 1'
[18:43:13][W][gamedatabase.h:321]: something else
`

test("the game's own log decides what is uncertain, and every disagreement is shown", () => {
  const engine = new EngineVerdicts(LOG)
  expect(engine.unread).toBe(1)
  const byName = new Map(findConflicts(index, { engine }).map((conflict) => [conflict.name, show(conflict, index)]))
  expect(byName.get('shy')).toContain('key_override | trait shy | game/01_more.txt')
  expect(byName.get('price_deep')).toBe(
    'engine_differs(key_override) | script_value price_deep | B/tz.txt > A/a.txt | high | differs',
  )
  expect(byName.get('tower')).toBe('engine_differs(key_override) | building tower | B/a.txt > A/b.txt | high | differs')
  expect(compareWithEngine(index, engine).map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
    'shy: agree',
    'price_deep: engine-differs',
    'tower: engine-differs',
    'not_here: unknown',
  ])
})

test('in games where keys say what they do, injected ones add up and one that replaces is meant to', () => {
  const other = createIndex([
    { name: 'game', kind: 'game', files: { 'common/goods/00.txt': 'iron = { cost = 1 }\nwood = { cost = 1 }\n' } },
    { name: 'A', files: { 'common/goods/a.txt': 'INJECT:iron = { cost = 2 }\nREPLACE:wood = { cost = 3 }\n' } },
    { name: 'B', files: { 'common/goods/b.txt': 'TRY_INJECT:iron = { x = y }\n' } },
  ])
  expect(findConflicts(other).map((conflict) => show(conflict, other))).toEqual([
    'key_override | goods wood | A/a.txt > game/00.txt | medium | differs | declared',
  ])
})

test('what is inside of another here and outside there is a conflict of which nobody is sure', () => {
  const titles = createIndex([
    { name: 'A', files: { 'common/landed_titles/a.txt': 'e_x = { k_y = { c_z = { } } }\n' } },
    { name: 'B', files: { 'common/landed_titles/b.txt': 'k_y = { c_z = { } }\n' } },
  ])
  expect(findConflicts(titles).map((conflict) => show(conflict, titles))).toEqual([
    'key_override | title c_z | B/b.txt > A/a.txt | low | identical',
    'key_override | title k_y | B/b.txt > A/a.txt | low | identical',
  ])
})
