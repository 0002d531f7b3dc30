import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '../run/fingerprint.mjs'
import { root, toRelative } from './workspace.ts'

const places = ['packages', 'scripts', 'docs', 'bench', 'hostile', 'examples', 'schema']
const files = places.flatMap((place) => listFiles(join(root, place)).map(toRelative))

/** As people write them: from the root, from `packages/`, or the end of a path alone; a folder ends with a slash. */
function isThere(named: string): boolean {
  const pattern = named
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replace(/\/$/, '')
  const expression = new RegExp(`(^|/)${pattern}(/|$)`)
  return files.some((file) => expression.test(file))
}

test.each(['docs/architecture.md', 'docs/security.md', 'CONTRIBUTING.md'])(
  '%s names no file or folder that is not there',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, token]) => token ?? '')
    // What is made by set-up, or is a kind of file, has no place in the repository.
    const isPath = (token: string): boolean => /^packages\/|^[\w@*./-]+(?:\.(?:ts|mjs|yaml)|\/)$/.test(token)
    const named = quoted.filter((token) => isPath(token) && !/^(?:\.toolchain|\*)/.test(token))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((token) => !isThere(token))).toEqual([])
  },
)
