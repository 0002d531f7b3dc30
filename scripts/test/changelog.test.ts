import { expect, test } from 'vitest'
import { formatChangelog, parseChangeset } from '../run/changelog.mjs'

test('a change log is made of change sets, what breaks first', () => {
  const sets = [
    '---\n"@switchboard/cli": patch\n---\n\nRepair it\n',
    '---\r\n"@switchboard/cli": patch\r\n"@switchboard/pool": minor\r\n---\r\n\r\nAdd it\r\n\r\n- one\r\n- two\r\n',
    '---\n"@switchboard/cli": minor\n---\n\nBreaking: call it otherwise\n\nWrite `b` for `a`.\n',
  ].map((text, index) => parseChangeset(`${index}.md`, text))
  expect(formatChangelog('1.2.3', sets)).toBe(
    '# 1.2.3\n\n## What you may have to change\n\n### Call it otherwise\n\nWrite `b` for `a`.\n\n## New\n\n### Add it\n\n- one\n- two\n\n## Repaired\n\n### Repair it\n',
  )
})

test.each(['no packages', '---\n---\n\nNo package\n', '---\n"a": minor\n---\n'])('%j is no change set', (text) => {
  expect(() => parseChangeset('x.md', text)).toThrow('x.md')
})
