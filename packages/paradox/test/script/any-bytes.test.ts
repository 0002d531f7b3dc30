/**
 * Whatever the bytes are: no throw, an end, a tree that gives the bytes back, and errors that lie inside the file.
 *
 *     SWITCHBOARD_FUZZ_RUNS=1000000 npm test -- packages/paradox/test/script/any-bytes
 *
 * runs the long form; a failure prints its seed and input, and SWITCHBOARD_FUZZ_SEED runs it again.
 */
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { extractLocalization } from '../../src/extract/extract-localization.ts'
import { extractScript } from '../../src/extract/extract-script.ts'
import { bytesOf, findBroken } from '../support/outline.ts'

const RUNS = Number(process.env.SWITCHBOARD_FUZZ_RUNS ?? 4_000)
const SEED = Number(process.env.SWITCHBOARD_FUZZ_SEED ?? 1)

const PIECES = [
  ...[
    '{',
    '}',
    '=',
    '"',
    '#',
    '\n',
    ' ',
    '\t',
    '<',
    '>',
    '!',
    '?',
    '@',
    '[',
    ']',
    ';',
    '\\',
    '$',
    '|',
    ':',
    '.',
    '\r\n',
  ],
  ...[
    'a',
    'name = {',
    'limit = {\n',
    '\n}\n',
    '@[',
    '[[P]',
    '>=',
    '?=',
    'scripted_trigger x = {',
    'type a = b {',
    'rgb {',
  ],
  ...[
    '\x1a',
    '\ufeff',
    '\x00',
    'é',
    '字',
    '😀',
    '1066.1.1',
    'yes',
    'template T {',
    'l_english:\n',
    ' k:0 "t"\n',
    '"a = b\n',
  ],
]
const PATHS = [
  'common/traits/a.txt',
  'events/a.txt',
  'gui/a.gui',
  'common/landed_titles/a.txt',
  'common/defines/a.txt',
  'x.txt',
]

function createInput(random: SeededRandom): Uint8Array {
  const length = random.below(41)
  if (random.below(10) === 0) return Uint8Array.from({ length }, () => random.below(256))
  return bytesOf(Array.from({ length }, () => random.pick(PIECES)).join(''))
}

test(`${RUNS} inputs of seed ${SEED} are read, and every byte of them is kept`, { timeout: 3_600_000 }, () => {
  const random = createSeededRandom(SEED)
  for (let run = 0; run < RUNS; run++) {
    const bytes = createInput(random)
    const broken = findBroken(bytes)
    if (broken.length > 0)
      expect.fail(`run ${run}: ${broken.join('; ')}\n${JSON.stringify(Buffer.from(bytes).toString())}`)
    const script = extractScript(bytes, PATHS[run % PATHS.length] ?? '')
    const texts = extractLocalization(bytes, 'localization/english/a_l_english.yml')
    for (const { problems, symbols, references } of [script, texts]) {
      const isInside =
        problems.every(
          ({ start, end, line, column }) => start <= end && end <= bytes.length && line > 0 && column > 0,
        ) &&
        symbols.every(
          ({ start, end, parent }, index) => start <= end && end <= bytes.length && (parent ?? -1) < index,
        ) &&
        references.every(({ start, within }) => start <= bytes.length && (within ?? -1) < symbols.length)
      if (!isInside) expect.fail(`run ${run}: something is outside\n${JSON.stringify(Buffer.from(bytes).toString())}`)
    }
  }
})

test('time grows with the bytes, and not faster', { timeout: 120_000 }, () => {
  // What would be slow if any part of it were read again and again: counted by what is kept, since time says nothing here.
  const hostile = [
    '"',
    '"\n',
    '@[',
    '@[ \n',
    '{',
    '}',
    '=',
    '= =',
    'a =\n',
    '# ',
    '[[P]',
    ']',
    'a = "b\n',
    '{ "x\n',
    '\\',
  ]
  hostile.push('a = b = ', 'a = {\n', '\t}\n', 'a={b={\n}\n', 'type x ', 'k_a={ ', 'k_a={ has_trait = b } ')
  for (const piece of hostile) {
    expect(findBroken(bytesOf(piece.repeat(1_000)))).toEqual([])
    // Were it read anew for every piece, this would take minutes.
    const { problems } = extractScript(bytesOf(piece.repeat(15_000)), 'common/landed_titles/a.txt')
    expect(problems.length).toBeLessThanOrEqual(201)
  }
})
