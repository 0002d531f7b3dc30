import { describe, expect, test } from 'vitest'
import { parseScript } from '../../src/script/parse-script.ts'
import { bytesOf, findBroken, outline } from '../support/outline.ts'

test.each([
  ['a = b', 'a = b'],
  ['a=b c=d', 'a = b, c = d'],
  [
    'age >= 16 age<3 x==y x!=y x<>y x<=1 x>2 scope:a?=b',
    'age >= 16, age < 3, x == y, x != y, x <> y, x <= 1, x > 2, scope:a ?= b',
  ],
  ['a = { b c "d e" }', 'a = {b, c, d e}'],
  ['a = { { 1 2 } { 3 4 } }', 'a = {{1, 2}, {3, 4}}'],
  ['color = rgb { 1 2 3 } c2 = hsv{ 0 1 1 }', 'color = rgb{1, 2, 3}, c2 = hsv{0, 1, 1}'],
  ['scripted_trigger is_x = { a = b }', '[scripted_trigger]is_x = {a = b}'],
  ['types Bars { type bar = widget { size = { 1 2 } } }', '[types]Bars  {[type]bar = widget{size = {1, 2}}}'],
  ['template T { a = b } block "x" { c = d }', '[template]T  {a = b}, [block]x  {c = d}'],
  ['type = character_event', 'type = character_event'],
  ['block = yes', 'block = yes'],
  ['1066.9.15 = { holder = 0 }', '1066.9.15 = {holder = 0}'],
  ['@x = 5 y = @x z = @[ x * 2 + (1) ]', '@x = 5, y = @x, z = @[ x * 2 + (1) ]'],
  ['a = @\\[ x + 1 ] b = c', 'a = @\\[ x + 1 ], b = c'],
  ['c = HSV { 0 1 1 } d = Rgb{ 1 2 3 }', 'c = HSV{0, 1, 1}, d = Rgb{1, 2, 3}'],
  ['raw_text = "#T One\n#weak two = { }#!"\nb = c', 'raw_text = #T One\n#weak two = { }#!, b = c'],
  ['a = {\n\tvisible = "[Or(\n\t\tA > 5,\n\t\tB\n\t)]"\n}', 'a = {visible = [Or(\n\t\tA > 5,\n\t\tB\n\t)]}'],
  ['sea_zones = RANGE { 1 5 } lakes = LIST { 7 }', 'sea_zones = RANGE{1, 5}, lakes = LIST{7}'],
  ['a = -$X$ b = pre_$X|def$_post c = NCat|KEY d = 29%', 'a = -$X$, b = pre_$X|def$_post, c = NCat|KEY, d = 29%'],
  ['e = { OPERATOR = >= VALUE = 5 }', 'e = {OPERATOR = >=, VALUE = 5}'],
  ['a = { [[AMOUNT] b = $AMOUNT$ ] [[!AMOUNT] b = 1 ] }', 'a = {?AMOUNT{b = $AMOUNT$}, ?AMOUNT{b = 1}}'],
  ['a = b # c = d\n e = f', 'a = b, e = f'],
  ['a = b; c = d;', 'a = b, c = d'],
  ['a = "x # { } = y"', 'a = x # { } = y'],
  ['a = "say \\"hi\\""', 'a = say \\"hi\\"'],
  ['transform = "1.0 2.0\n3.0 4.0\n"', 'transform = 1.0 2.0\n3.0 4.0\n'],
  ['a\n=\n{\nb\n}', 'a = {b}'],
  ['größe = ñandú', 'größe = ñandú'],
  ['title:k_x.holder = { a = b }', 'title:k_x.holder = {a = b}'],
  ['﻿a = b', 'a = b'],
  ['', ''],
])('%j is read without a problem', (text, tree) => {
  expect(outline(text)).toBe(tree)
  expect(parseScript(bytesOf(text)).problems).toEqual([])
  expect(findBroken(bytesOf(text))).toEqual([])
})

test.each([
  ['a = {\n\tb = c\n', 'syntax.unclosed-block', 0, 'a = {b = c}'],
  ['a = b }\nc = d', 'syntax.stray-closing', 6, 'a = b, !}, c = d'],
  ['a = "b\nc = { d = e }', 'syntax.unclosed-string', 4, 'a = b, c = {d = e}'],
  ['a = "b\nc = " d"\ne = f', 'syntax.unclosed-string', 4, 'a = b, c =  d, e = f'],
  ['a = "b\nc = { "d" "e" }', 'syntax.unclosed-string', 4, 'a = b, c = {d, e}'],
  ['x = { a = "b }\nc = d', 'syntax.unclosed-string', 10, 'x = {a = b}, c = d'],
  ['a = @[ 1 + 2\nb = c', 'syntax.unclosed-calculation', 4, 'a = @[ 1 + 2, b = c'],
  ['a = {\n\tb =\n}', 'syntax.missing-value', 9, 'a = {b = }'],
  ['a =\nb = c', 'syntax.missing-value', 2, 'a = , b = c'],
  ['a =', 'syntax.missing-value', 2, 'a = '],
  ['a = b = c', 'syntax.second-operator', 6, 'a = b, !=, c'],
  ['= c', 'syntax.operator-without-key', 0, '!=, c'],
  ['a = b\x1ac = d', 'encoding.text-after-end', 5, 'a = b'],
  ['﻿﻿a = b', 'encoding.second-bom', 3, '﻿a = b'],
])('%j has one problem, at its place, and all else is read', (text, code, start, tree) => {
  const { problems } = parseScript(bytesOf(text))
  expect(problems).toMatchObject([{ code, start }])
  expect(outline(text)).toBe(tree)
  expect(findBroken(bytesOf(text))).toEqual([])
})

test('bytes that are no UTF-8 are told with the first of them', () => {
  const bytes = Buffer.from('name = "Jos\xe9"', 'latin1')
  expect(parseScript(bytes).problems).toMatchObject([{ code: 'encoding.not-utf-8', start: 11, end: 12 }])
  expect(parseScript(Buffer.from('a = b', 'utf16le')).problems.map(({ code }) => code)).not.toContain('encoding.utf-16')
  const wide = Buffer.from('\ufeffa = { b = c } }\n"', 'utf16le')
  expect(parseScript(wide).problems).toMatchObject([{ code: 'encoding.utf-16' }])
  expect(findBroken(wide)).toEqual([])
})

describe('a missing brace', () => {
  const file = 'a = {\n\tx = {\n\t\ty = 1\n\t\n}\nb = {\n\tc = 2\n}\nd = {\n\te = 3\n}\n'

  test('costs only the definition that it is missing in', () => {
    expect(outline(file)).toBe('a = {x = {y = 1}}, b = {c = 2}, d = {e = 3}')
  })

  test('is told once, with the line where the indentation wants it', () => {
    const [problem, ...others] = parseScript(bytesOf(file)).problems
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code: 'syntax.unclosed-block', start: 0 })
    expect(problem?.hint).toContain('line 5')
  })

  test('does not tear a file whose nested keys stand at the margin', () => {
    const flat = 'a = {\nb = {\nc = {\nd = 1\n}\n}\ne = {\nf = 1\n}\n'
    expect(outline(flat)).toBe('a = {b = {c = {d = 1}}, e = {f = 1}}')
  })
})

test('no depth of blocks is too deep', () => {
  const depth = 20_000
  const text = 'a={'.repeat(depth) + '}'.repeat(depth)
  expect(findBroken(bytesOf(text))).toEqual([])
  expect(findBroken(bytesOf('{'.repeat(depth)))).toEqual([])
  expect(findBroken(bytesOf('}'.repeat(depth)))).toEqual([])
})
