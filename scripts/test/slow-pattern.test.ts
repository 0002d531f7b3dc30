import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { findSlowness } from './slow-pattern.ts'
import { listSources, listWorkspacePackages, toRelative } from './workspace.ts'

describe('findSlowness', () => {
  test.each([
    ['\\d+$', '', 'polynomial'],
    ['(\\d+) x', '', 'polynomial'],
    ['^\\s*\\s*x', '', 'polynomial'],
    ['^.*a.*b$', '', 'polynomial'],
    ['^\\s*x', 'm', 'polynomial'],
    ['(?=a*a*b)', '', 'polynomial'],
    ['^(a+)+$', '', 'exponential'],
    ['(a|a)*b', '', 'exponential'],
    ['^(?:\\w+\\s?)*$', '', 'exponential'],
  ])('takes /%s/%s for %s', (pattern, flags, slowness) => {
    expect(findSlowness(pattern, flags)).toBe(slowness)
  })

  test.each([
    ['a+', ''],
    ['(?<!\\d)\\d+$', ''],
    ['\\b\\w+\\.x', ''],
    ['\\d+$', 'y'],
    ['^[ \\t]*x', 'm'],
    ['^[a-z]+-[a-z]+$', ''],
    ['^(?:ab)*$', ''],
    ['\\s+(?:#.*)?', 's'],
    ['^\\p{L}+[^\\p{L}]+\\u{1f600}$', 'u'],
  ])('takes /%s/%s for linear', (pattern, flags) => {
    expect(findSlowness(pattern, flags)).toBeUndefined()
  })
})

/** Slow by their shape, and harmless where they are. A new one needs a reason as good. */
const HARMLESS: Readonly<Record<string, string>> = {
  '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/': 'what a person types into a form of the command',
  '/^agent_mode_.+\\.json(\\..*)?$/': 'names of files: 255 characters at most',
  '/(\\d+(?:\\.\\d+)?)$/': 'names of programs: 255 characters at most',
  '/(?:^|[/\\\\])(?:@switchboard[/\\\\]cli': 'a word of a client’s command line, in the person’s own command',
  '/^#<((?:\\w+::)*\\w+):(?!:)': 'a colon that no other follows ends the name',
  '/[^\\n]*\\n|[^\\n]+$/g': 'where the first choice fails the second matches all that is left',
  '/^\\s*(==?=?|>=|<=|>|<|%)?\\s*(\\d{1,9})\\s*$/': 'of 40 characters at most',
  '/^(?:async\\s*)?(?:function': 'of 200 characters at most',
  '/^\\s*at (?:async )?': 'of a line of 2,000 characters at most',
  '/\\b(?:import|export)\\b(?![ \\t]+type\\b)(?:(?!': 'the next import ends it',
  '/"((?:[^"\\\\]|\\\\.)*)"|': 'only one quote of a text can be without its end',
  '/(?:[\\w$)\\]]|^)\\s*$/': 'of 40 characters',
  '/([A-Za-z_$][\\w$-]*)\\W*$/': 'of 64 characters',
  '/([\\w$]+)\\W*$/': 'of 64 characters',
  '/^ {2}File "': 'a line that begins with four blanks begins no frame, and after a whole line it is a match',
  '/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----': 'it goes on to the end of the text where nothing ends it sooner',
  '/^---\\r?\\n(.*?)^---[ \\t]*\\r?\\n(.*)$/ms': 'guides are ours',
  '/\\n\\s*\\n/': 'descriptions of tools are ours',
}

/** They read our own sources when we build. */
const BUILD_TIME = /^packages\/(?:toolkit\/src\/generate|testkit)\/|\/generated\//

interface FoundPattern {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

function listPatterns(file: string): FoundPattern[] {
  const found: FoundPattern[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && typeof node.regex === 'object' && node.regex !== null) {
      // The parser's own type of a literal: both are texts.
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      found.push({ file: toRelative(file), pattern, flags })
    }
    for (const member of Object.values(node)) visit(member)
  }
  visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}

test('no pattern in our sources takes more than linear time, whatever the text is', { timeout: 120_000 }, () => {
  const sources = listWorkspacePackages()
    .flatMap(({ directory }) => listSources(join(directory, 'src')))
    .filter((path) => !BUILD_TIME.test(toRelative(path)))
  const known = new Set<string>()
  const slow = sources.flatMap(listPatterns).flatMap(({ file, pattern, flags }) => {
    const slowness = findSlowness(pattern, flags)
    if (slowness === undefined) return []
    const whole = `/${pattern}/${flags}`
    const reason = Object.keys(HARMLESS).find((beginning) => whole.startsWith(beginning))
    if (reason === undefined) return [`${file}: ${whole} (${slowness})`]
    known.add(reason)
    return []
  })
  expect(slow).toEqual([])
  expect(Object.keys(HARMLESS).filter((beginning) => !known.has(beginning))).toEqual([])
})
