import { expect, test } from 'vitest'
import { compareVersions, nextPatch, parseVersion } from '../../src/skills/semantic-version.ts'

/** Each comes before the next: the order of semver.org, section 11. */
const RISING = [
  '0.0.1',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.2.0',
  '1.10.0',
  '2.0.0',
]

function read(text: string) {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`${text} is no version`)
  return version
}

test('versions rise as semver has it, whichever of two comes first', () => {
  for (const [at, one] of RISING.entries()) {
    for (const [against, other] of RISING.entries()) {
      expect(Math.sign(compareVersions(read(one), read(other))), `${one} and ${other}`).toBe(Math.sign(at - against))
    }
  }
})

test('what a version was built of makes no difference', () => {
  expect(compareVersions(read('1.0.0+linux'), read('1.0.0+windows.7'))).toBe(0)
})

test.each([
  '',
  '1',
  '1.0',
  '1.0.0.0',
  'v1.0.0',
  '01.0.0',
  '1.0.0-',
  '1.0.0-01',
  '1.0.0-a..b',
  '1.0.0+',
  '1.0.0+a+b',
  '1.0.x',
  ' 1.0.0',
  '1.0.0-ä',
  `1.0.${'9'.repeat(60)}`,
])('"%s" is no version', (text) => {
  expect(parseVersion(text)).toBeUndefined()
})

test('the next patch of a version comes after it', () => {
  expect(nextPatch(read('1.4.9-rc.1'))).toBe('1.4.10')
})
