import { expect, test } from 'vitest'
import type { Conflict } from '../../src/conflicts/conflict.ts'
import { conflictsOfKey, findConflicts } from '../../src/conflicts/find-conflicts.ts'
import type { Patch } from '../../src/patch/patch.ts'
import { PatchedIndex } from '../../src/patch/patched-index.ts'
import { proposePatch } from '../../src/patch/propose-patch.ts'
import { parseScript } from '../../src/script/parse-script.ts'
import { bytesOf } from '../support/outline.ts'
import { createIndex, type LayerFiles } from '../support/playset.ts'

interface Solved {
  readonly conflict: Conflict
  readonly patch: Patch
  /** What the index would say of the same key. */
  readonly after: readonly Conflict[]
  readonly index: PatchedIndex
}

function solve(layers: readonly LayerFiles[], name: string, keep?: number): Solved {
  const below = createIndex(layers)
  const conflict = findConflicts(below).find((one) => one.name === name) ?? expect.fail(`no conflict ${name}`)
  const patch = proposePatch(conflict, below, { ...(keep !== undefined && { keep }) }) ?? expect.fail('no patch')
  const index = new PatchedIndex(below, patch)
  expect(patch.content.startsWith('\ufeff')).toBe(true)
  if (!patch.path.endsWith('.yml')) expect(parseScript(bytesOf(patch.content)).problems).toEqual([])
  const key = { kind: conflict.kind, name: conflict.kind === 'on_action' ? name.slice(0, name.lastIndexOf('.')) : name }
  return { conflict, patch, after: conflictsOfKey(index, key), index }
}

const mod = (name: string, files: Readonly<Record<string, string>>): LayerFiles => ({ name, files })
const game = (files: Readonly<Record<string, string>>): LayerFiles => ({ name: 'game', kind: 'game', files })

test('what two mods changed in different fields of the game is put together, in a file that wins', () => {
  const { patch, after, index } = solve(
    [
      game({ 'common/traits/00.txt': 'brave = {\n\tindex = 1\n\tcost = 5\n\tflag = a\n}\n' }),
      mod('A', { 'common/traits/zzz_a.txt': '@price = 9\nbrave = {\n\tindex = 1\n\tcost = @price\n\tflag = a\n}\n' }),
      mod('B', { 'common/traits/sub/b.txt': 'brave = {\n\tindex = 1\n\tcost = 5\n\tnew = yes\n}\n' }),
    ],
    'brave',
  )
  expect(patch.kind).toBe('merged')
  // Behind the file names, and behind the sub-folder of B too.
  expect(patch.path).toBe('common/traits/zzz_patch_brave/zzz_patch_brave.txt')
  expect(patch.content).toBe(
    '\ufeff# trait brave\n@price = 9\n\nbrave = {\n\tindex = 1\n\tcost = @price\n\tnew = yes\n}\n',
  )
  expect(after).toMatchObject([
    { class: 'key_override', effective: { layer: 3 }, intended: true, intendedBy: 'dependency' },
  ])
  expect(index.layers[3]?.name).toBe('the patch')
})

test('what both changed stands side by side, the one in effect as script', () => {
  const layers = [
    mod('A', { 'common/traits/a.txt': 'brave = { cost = 1 }\n' }),
    mod('B', { 'common/traits/b.txt': 'brave = { cost = 2 }\n' }),
  ]
  const { patch, after } = solve(layers, 'brave')
  expect(patch.kind).toBe('chosen')
  expect(patch.content).toBe(
    '\ufeff# trait brave\n#\n# A: common/traits/a.txt line 1\n# brave = { cost = 1 }\nbrave = { cost = 2 }\n',
  )
  expect(after).toMatchObject([{ effective: { layer: 2 }, intended: true }])
  expect(solve(layers, 'brave', 1).patch.content).toMatch(/\nbrave = \{ cost = 1 \}\n$/)
})

test('a mod that loses to the game by its file name is helped', () => {
  const { conflict, patch, after } = solve(
    [game({ 'common/traits/01.txt': 'shy = { a = 1 }\n' }), mod('A', { 'common/traits/00.txt': 'shy = { a = 2 }\n' })],
    'shy',
  )
  expect(conflict.effective?.layer).toBe(0)
  expect(patch.content).toContain('\nshy = { a = 2 }\n')
  expect(after[0]?.effective?.layer).toBe(2)
})

test('effects of an on_action are put one after the other', () => {
  const { patch, after } = solve(
    [
      mod('A', { 'common/on_action/a.txt': 'on_x = { events = { a.1 } effect = { add_gold = 1 } }\n' }),
      mod('B', { 'common/on_action/b.txt': 'on_x = { effect = { add_piety = 2 } }\n' }),
    ],
    'on_x.effect',
  )
  expect(patch.kind).toBe('merged')
  expect(patch.content).toMatch(
    /on_x = \{\n\teffect = \{\n\t\t# A: .*\n\t\tadd_gold = 1\n\t\t# B: .*\n\t\tadd_piety = 2\n\t\}\n\}\n$/,
  )
  expect(after).toMatchObject([{ name: 'on_x.effect', effective: { layer: 2 } }])
})

test('a define, a text and a type of the interface each go where theirs win', () => {
  const define = solve(
    [mod('A', { 'common/defines/a.txt': 'N = { X = 1 }\n' }), mod('B', { 'common/defines/b.txt': 'N = { X = 2 }\n' })],
    'N|X',
  )
  expect(define.patch.content).toContain('N = {\n\tX = 2\n}\n')
  expect(define.after[0]?.effective?.layer).toBe(2)
  const text = solve(
    [
      mod('A', { 'localization/english/a_l_english.yml': 'l_english:\n k:0 "one"\n' }),
      mod('B', { 'localization/english/b_l_english.yml': 'l_english:\n k: "two"\n' }),
    ],
    'k',
    1,
  )
  expect(text.patch.path).toBe('localization/replace/english/zzz_patch_k_l_english.yml')
  expect(text.patch.content).toBe(
    '\ufeffl_english:\n # A: localization/english/a_l_english.yml line 2: k:0 "one"\n k: "two"\n',
  )
  expect(text.after[0]?.effective?.layer).toBe(2)
  const type = solve(
    [
      mod('A', { 'gui/00_a.gui': 'types T { type bar = widget { a = 1 } }\n' }),
      mod('B', { 'gui/b.gui': 'types T { type bar = widget { a = 2 } }\n' }),
    ],
    'bar',
    1,
  )
  expect(type.patch.path).toBe('gui/000000_patch_bar.gui')
  expect(type.after[0]?.effective?.layer).toBe(2)
})

test('a second event goes by a file of the same path without it', () => {
  const { patch, after } = solve(
    [
      mod('A', { 'events/a.txt': 'namespace = x\nx.1 = { a = 1 }\n' }),
      mod('B', { 'events/b.txt': 'namespace = x\nx.1 = {\n\ta = 2\n}\nx.2 = { }\n' }),
    ],
    'x.1',
  )
  expect(patch).toMatchObject({ path: 'events/b.txt', kind: 'removed' })
  expect(patch.content).toBe('\ufeffnamespace = x\n# event x.1 is defined in A: events/a.txt line 2\nx.2 = { }\n')
  expect(after).toEqual([])
})

test('what a hidden file alone defined is put into another', () => {
  const layers = [
    mod('A', {
      'common/scripted_effects/e.txt': '@n = 3\nkept = { }\nlost = { add_gold = @n }\n',
      'common/decisions/d.txt': 'd = { effect = { lost = { X = 1 } } }\n',
    }),
    mod('B', { 'common/scripted_effects/e.txt': 'kept = { a = b }\n' }),
  ]
  const { patch, index } = solve(layers, 'common/scripted_effects/e.txt')
  expect(patch).toMatchObject({ path: 'common/scripted_effects/zzz_patch_e.txt', kind: 'restored' })
  expect(patch.content).toContain('@n = 3\n\nlost = { add_gold = @n }\n')
  expect(findConflicts(index).filter(({ class: type }) => type === 'dangling')).toEqual([])
  expect(findConflicts(index).find(({ class: type }) => type === 'file_shadow')?.lostKeys).toEqual([])
  expect(solve(layers, 'lost').patch.content).toContain('lost = { add_gold = @n }')
})

test('a file that hides another without losing a key has the other beside it', () => {
  const { patch, index } = solve(
    [
      mod('A', { 'common/traits/t.txt': 'x = { a = 1 }\ny = { }\n' }),
      mod('B', { 'common/traits/t.txt': 'x = { a = 2 }\ny = { }\n' }),
    ],
    'common/traits/t.txt',
  )
  expect(patch.content).toBe(
    '\ufeffx = { a = 2 }\ny = { }\n\n# otherwise in A: common/traits/t.txt:\n#\n# line 1\n# x = { a = 1 }\n',
  )
  expect(findConflicts(index)).toMatchObject([{ class: 'file_shadow', effective: { layer: 2 }, intended: true }])
})
