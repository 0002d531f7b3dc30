// Run by .ci/run: looks through every tracked file.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say, sayFailure } from '../run/console.mjs'
import { findForbiddenText, findResolvedHosts } from './repository-text.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)

// The only file that must spell out what is forbidden.
const exempt = new Set(['scripts/test/repository-text.test.ts'])

const problems = []
for (const path of tracked) {
  if (exempt.has(path) || !existsSync(join(root, path))) continue
  const text = readFileSync(join(root, path), 'utf8')
  if (text.includes('\0')) continue
  for (const { line, found, complaint, cure } of findForbiddenText(text)) {
    problems.push(`${path}:${line} ${complaint} (${found}): ${cure}`)
  }
}

const resolved = findResolvedHosts(readFileSync(join(root, 'package-lock.json'), 'utf8'))
if (resolved.length > 0) {
  problems.push(
    `package-lock.json says where ${resolved.length} package(s) came from (${resolved[0]}, …): write it with npm install --omit-lockfile-registry-resolved`,
  )
}

for (const problem of problems) say(`  ${problem}`)
if (problems.length > 0) {
  sayFailure(`${problems.length} problem(s) in ${tracked.length} tracked files`)
  process.exitCode = 1
}
