import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary } from './binary.mjs'
import { runInForeground } from './child.mjs'
import { formatDuration, say, sayFailure } from './console.mjs'
import { findFailures, formatClosingLine } from './summary-reporter.mjs'
import { ensureSystemParts, withoutDeadProxies } from './system-parts.mjs'

/**
 * Runs vitest and prints the closing line last, alone on its line, on standard output.
 *
 * @param {string} root
 * @param {string} node
 * @param {NodeJS.ProcessEnv} given
 * @param {readonly string[]} args passed on to vitest
 * @returns {Promise<number>} the exit code
 */
export async function runTests(root, node, given, args) {
  const environment = withoutDeadProxies(given)
  await ensureSystemParts(root, environment)
  const started = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-tests-'))
  const summaryPath = join(directory, 'summary.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'run', 'summary-reporter.mjs')}`]
    // vitest colours its output even when it goes to a file.
    const colour = process.stdout.isTTY && !process.env.NO_COLOR ? [] : ['--no-color']
    const vitest = [findBinary(root, 'vitest'), 'run', ...colour, ...reporters, ...args]
    const exitCode = await runInForeground(node, vitest, {
      cwd: root,
      env: { ...environment, SWITCHBOARD_TEST_SUMMARY: summaryPath },
    })
    const summary = existsSync(summaryPath)
      ? JSON.parse(readFileSync(summaryPath, 'utf8'))
      : { passed: 0, failed: [], skipped: [] }
    const failures = findFailures(summary, { exitCode, refuseSkips: process.env.CI === 'true' })
    for (const [index, failure] of failures.entries()) index === 0 ? sayFailure(failure) : say(failure)
    say(`• Tests ran for ${formatDuration(performance.now() - started)}`)
    process.stdout.write(`${formatClosingLine(summary)}\n`)
    if (failures.length === 0) return 0
    return exitCode === 0 ? 1 : exitCode
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
