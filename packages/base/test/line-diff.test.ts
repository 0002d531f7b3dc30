import { createSeededRandom } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { type DiffLine, diffLines } from '../src/line-diff.ts'

const show = (lines: readonly DiffLine[]): string =>
  lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', gap: '…' }[kind]}${text}`).join('\n')

it('shows a change with the lines around it, and leaves out the rest', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\r\n')
  expect(show(diffLines(before, before.replace('b\r\n', '').replace('h', 'H'), { context: 1 }))).toBe(
    [' a', '-b', ' c', '…', ' g', '-h', '+H', ' i'].join('\n'),
  )
  expect(diffLines('same\n', 'same')).toEqual([])
  expect(show(diffLines('', 'new\n'))).toBe('+new')
})

it('leads from the one text to the other, whatever they are', () => {
  const random = createSeededRandom(11)
  const text = (): string[] => Array.from({ length: random.below(13) }, () => random.pick(['a', 'b', 'c']))
  for (let round = 0; round < 2_000; round++) {
    const [one, other] = [text(), text()]
    if (one.join() === other.join()) continue
    const lines = diffLines(one.join('\n'), other.join('\n'), { context: 100 })
    const without = (kind: DiffLine['kind']): string[] =>
      lines.filter((line) => line.kind !== kind).map((line) => line.text)
    expect([without('added'), without('removed')]).toEqual([one, other])
  }
})

it('of texts that have little in common does not take for ever', () => {
  const many = (start: string): string => Array.from({ length: 20_000 }, (_, index) => `${start}${index}`).join('\n')
  expect(diffLines(many('a'), many('b'))).toHaveLength(40_000)
})
