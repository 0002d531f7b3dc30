import { expect, test } from 'vitest'
import { findForbiddenText, findResolvedHosts } from '../checks/repository-text.mjs'

test.each([
  'see https://registry.example.org/name',
  'cd /work/main',
  '"/root/.cache"',
  'HOME=/root',
  'open /Users/jane.doe/project',
  '(/home/jane/project)',
])('refuses: %s', (text) => {
  expect(findForbiddenText(`first line\n${text}`)).toMatchObject([{ line: 2 }])
})

test.each([
  'packages/work/root/file.ts',
  'https://example.org/work/item',
  '/home/you/project and /Users/me/project',
  'the registry.',
  '/workspace/a',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
  '`${directory}/work`',
])('allows: %s', (text) => {
  expect(findForbiddenText(text)).toEqual([])
})

test('finds the lockfile entries that say where they came from, and leaves links alone', () => {
  const lockfile = JSON.stringify({
    packages: {
      'node_modules/a': { resolved: 'https://example.org/a.tgz' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/@switchboard/cli': { resolved: 'packages/cli', link: true },
    },
  })
  expect(findResolvedHosts(lockfile)).toEqual(['node_modules/a'])
})
