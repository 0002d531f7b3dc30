import { expect, test } from 'vitest'
import { extractScript } from '../../src/extract/extract-script.ts'
import { bytesOf } from '../support/outline.ts'

const symbolsOf = (text: string, path: string): string[] =>
  extractScript(bytesOf(text), path).symbols.map(
    ({ name, kind, parent, detail }) =>
      `${parent === undefined ? '' : `${parent}>`}${kind} ${name}${detail === undefined ? '' : ` (${detail})`}`,
  )
const referencesOf = (text: string, path: string): string[] =>
  extractScript(bytesOf(text), path).references.map(
    ({ name, kinds, isCall }) => `${name}: ${kinds?.join(' ')}${isCall ? ' called' : ''}`,
  )

test.each([
  ['common/traits/a.txt', 'brave = { index = 1 }', ['trait brave']],
  ['common/decisions/deep/a.txt', 'do_it = { a = b }', ['decision do_it']],
  ['common/script_values/a.txt', 'x = 5\ny = { value = x }', ['script_value x (5)', 'script_value y']],
  ['common/defines/00.txt', 'NGame = { START = "1" SIZE = 2 }', ['define NGame|START (1)', 'define NGame|SIZE (2)']],
  [
    'common/landed_titles/a.txt',
    'e_x = { color = { 1 2 3 } k_y = { c_z = {} } }',
    ['title e_x', '0>title k_y', '1>title c_z'],
  ],
  [
    'common/religion/religions/a.txt',
    'r = { family = f faiths = { one = {} two = {} } }',
    ['religion r', '0>faith one', '0>faith two'],
  ],
  [
    'common/game_rules/a.txt',
    'r = { categories = { x } on = {} off = {} }',
    ['game_rule r', '0>game_rule_setting on', '0>game_rule_setting off'],
  ],
  ['common/named_colors/a.txt', 'colors = { red = hsv { 1 1 1 } }', ['named_color red']],
  ['Common/Traits/A.TXT', 'brave = { index = 1 }', ['trait brave']],
  [
    'common/genes/a.txt',
    'special_genes = { morph_genes = { one = { index = 1 } } accessory_genes = { two = { } } }\ncolor_genes = { three = { } }',
    ['gene one', 'gene two', 'gene three'],
  ],
  [
    'common/coat_of_arms/template_lists/a.txt',
    'color_lists = { all = { } }\ncoat_of_arms_template_lists = { all = { } }',
    ['coat_of_arms_template_list color_lists|all', 'coat_of_arms_template_list coat_of_arms_template_lists|all'],
  ],
  ['common/coat_of_arms/coat_of_arms/a.txt', 'k_x = k_y', ['coat_of_arms k_x (k_y)']],
  ['common/laws/a.txt', 'g = { default = l l = { a = b } }', ['law_group g', '0>law l']],
  [
    'events/a.txt',
    'namespace = x\nscripted_trigger t = { a = b }\nx.1 = { type = character_event }\n@v = 3',
    ['event_namespace x', 'local_scripted_trigger t', 'event x.1 (character_event)', 'variable @v (3)'],
  ],
  [
    'gui/a.gui',
    'types T { type bar = widget { } }\ntemplate t { }\nlocal_template l { }\nwindow = { name = "main" }\ntexticon = { icon = i }',
    [
      'gui_type bar (widget)',
      'gui_template t',
      'local_gui_template l',
      'gui_window main (window)',
      'gui_text_icon i (texticon)',
    ],
  ],
  [
    'music/music_player_categories/a.txt',
    'category = { id = "one" }\ncategory = { id = "two" }',
    ['music_category one', 'music_category two'],
  ],
  [
    'common/coat_of_arms/coat_of_arms/a.txt',
    'k_x = { }\ntemplate = { t = { } }',
    ['coat_of_arms k_x', 'coat_of_arms_template t'],
  ],
  ['history/characters/a.txt', '1234 = { name = "A" }', ['character 1234']],
  ['history/provinces/a.txt', '496 = { culture = x }', ['province_history 496']],
  ['common/of_a_later_version/a.txt', 'thing = { }', ['of_a_later_version thing']],
  ['my mods/one/common/traits/a.txt', 'brave = { }', ['trait brave']],
  ['readme.txt', 'thing = { }', []],
])('%s defines what its folder and shape say', (path, text, symbols) => {
  expect(symbolsOf(text, path)).toEqual(symbols)
})

test.each([
  ['trigger_event = a.1', ['a.1: event']],
  ['trigger_event = { id = a.1 days = 5 }', ['a.1: event']],
  ['trigger_event = { on_action = yearly }', ['yearly: on_action']],
  ['add_opinion = { modifier = liked target = root }', ['liked: opinion_modifier']],
  ['add_character_modifier = { modifier = strong years = 5 }', ['strong: modifier']],
  ['has_trait = brave', ['brave: trait']],
  ['has_trait = trait:brave', ['brave: trait']],
  ['title:k_france.holder = { culture = culture:norse }', ['k_france: title', 'norse: culture']],
  ['my_effect = yes', ['my_effect: scripted_effect scripted_trigger scripted_modifier engine called']],
  [
    'my_effect = { TARGET = root AMOUNT = 5 }',
    ['my_effect: scripted_effect scripted_trigger scripted_modifier called'],
  ],
  ['limit = { NOT = { has_trait = shy } }', ['shy: trait']],
  ['set_variable = { name = count value = 1 }', []],
  ['value = my_value', ['my_value: script_value engine']],
  ['gold >= my_value', ['my_value: script_value engine']],
  ['add_gold = @sum', ['@sum: variable']],
  ['has_trait = $TRAIT$', []],
  ['custom = "a text: with: colons"', []],
])('in an effect, "%s" names %j', (text, references) => {
  expect(referencesOf(`x = { ${text} }`, 'common/scripted_effects/a.txt')).toEqual(references)
})

test('lists of an on_action name events, with and without weights', () => {
  const text =
    'on_x = { events = { a.1 delay = { days = 3 } a.2 } random_events = { 100 = a.3 50 = 0 } on_actions = { on_y } }'
  expect(referencesOf(text, 'common/on_action/a.txt')).toEqual([
    'a.1: event',
    'a.2: event',
    'a.3: event',
    'on_y: on_action',
  ])
})

test('a define is no call, though it looks like its arguments', () => {
  expect(
    referencesOf('NGame = { START_DATE = "867.1.1" }\nNAI = { LIMITS = { LOW = 1 } }', 'common/defines/a.txt'),
  ).toEqual([])
})

test('keys of a folder name what they name there only', () => {
  expect(referencesOf('1 = { culture = norse father = 2 religion = catholic }', 'history/characters/a.txt')).toEqual([
    'norse: culture',
    '2: character',
    'catholic: faith',
  ])
  expect(
    referencesOf('a.1 = { title = a.1.t option = { name = a.1.a set_x = { title = k_y name = z } } }', 'events/a.txt'),
  ).toEqual(['a.1.t: localization', 'a.1.a: localization'])
})

test('places are lines and columns as editors count them, and what stands in what is told', () => {
  const { symbols, references } = extractScript(
    bytesOf('\ufeffone = { }\n\ntwo = {\n\tname = "😀é" has_trait = brave\n}\n'),
    'common/scripted_effects/a.txt',
  )
  expect(symbols).toMatchObject([
    { name: 'one', start: 3, end: 12, line: 1, column: 1, endLine: 1 },
    { name: 'two', line: 3, column: 1, endLine: 5 },
  ])
  expect(references).toMatchObject([{ name: 'brave', line: 4, column: 27, within: 1 }])
})

test('after a brace too many, what was inside is not taken for definitions', () => {
  const text = `a = {\n\tx = { y = 1 } }\n\tz = { v = 1 }\n}\n${'b0 = { }\nb1 = { }\nb2 = { }\nb3 = { }\n'.repeat(3)}`
  expect(symbolsOf(text, 'common/traits/a.txt').filter((name) => !/ b\d/.test(name))).toEqual(['trait a'])
})

test('an event whose namespace its file does not declare is told', () => {
  const { problems } = extractScript(bytesOf('namespace = a\na.1 = { }\nb.1 = { }\n'), 'events/a.txt')
  expect(problems).toMatchObject([
    { code: 'script.undeclared-namespace', severity: 'warning', line: 3, expected: 'namespace = b' },
  ])
})
