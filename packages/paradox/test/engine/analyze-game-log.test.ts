import { expect, test } from 'vitest'
import { analyzeGameLog } from '../../src/engine/analyze-game-log.ts'
import { parseGameLog } from '../../src/engine/log-entries.ts'

const LOG = `[16:41:20][E][jomini_script_system.cpp:303]: Script system error!
  Error: has_trait trigger [ Failed to fetch variable for 'x' due to not being set ]
  Script location: file: common/scripted_triggers/a_triggers.txt line: 12 (my_trigger)
[16:41:21][E][pdx_persistent_reader.cpp:216]: Error: "Unexpected token: foo, near line: 12" in file: "common/traits/my traits.txt" near line: 14\r
[16:41:22][E][trait.cpp:10]: Undefined trait 'brave_heart' at file: events/a_events.txt line: 7
[16:41:22][E][trait.cpp:10]: Undefined trait 'brave_heart' at file: events/a_events.txt line: 9
[16:41:23][E][trait_type.cpp:99]: Trait 'shy' has no icon in common/traits/my traits.txt:3
[16:41:23][E][pdx_localize.cpp:243]: Duplicate localization key. Key 'k' is defined in both 'localization/english/a_l_english.yml' and 'localization/english/b_l_english.yml'
[16:41:24][E][localization_reader.cpp:5]: File 'localization/english/c_l_english.yml' should be in utf8-bom encoding
[16:41:24][D][x.cpp:5]: nothing of interest
[16:41:25][E][y.cpp:1]: something strange
`

test('an entry has its lines, its source, and the places that it names', () => {
  const [script, syntax] = parseGameLog(LOG)
  expect(script).toMatchObject({
    time: '16:41:20',
    level: 'E',
    source: 'jomini_script_system.cpp',
    places: [{ path: 'common/scripted_triggers/a_triggers.txt', line: 12 }],
    line: 1,
  })
  expect(script?.message.split('\n')).toHaveLength(3)
  expect(syntax?.places).toEqual([{ path: 'common/traits/my traits.txt', line: 14 }])
})

test('causes come before what follows from them, in the same file or by a name that the file defines', () => {
  const { entries, groups, categories, mods } = analyzeGameLog(LOG, {
    modOf: (path) => (path.startsWith('common/traits') ? 'Traits' : 'Events'),
    namesOf: (path) => (path === 'common/traits/my traits.txt' ? ['brave_heart'] : []),
  })
  expect(entries).toBe(8)
  expect(groups[0]).toMatchObject({ category: 'syntax', mod: 'Traits', cascade: 3 })
  expect(groups.filter(({ cause }) => cause === 0)).toMatchObject([
    { category: 'missing_reference', count: 2, mod: 'Events' },
    { category: 'other', count: 1 },
  ])
  expect(groups.findIndex(({ cause }) => cause !== undefined)).toBe(groups.length - 2)
  expect(Object.fromEntries(categories.map(({ category, count }) => [category, count]))).toEqual({
    missing_reference: 3,
    syntax: 1,
    other: 2,
    duplicate: 1,
    encoding: 1,
  })
  expect(mods).toEqual([
    { mod: 'Events', count: 5 },
    { mod: 'Traits', count: 2 },
  ])
})

test('text that is no log has no entries', () => {
  expect(analyzeGameLog('hello\nworld').entries).toBe(0)
  expect(analyzeGameLog('').groups).toEqual([])
})
