// A vitest reporter that writes what happened to a file, for the closing line: vitest's own last lines vary, and
// anything may print after a reporter has. The file's name is in SWITCHBOARD_TEST_SUMMARY.

import { writeFileSync } from 'node:fs'

/**
 * @typedef {object} TestSummary
 * @property {number} passed
 * @property {string[]} failed tests, and whatever failed outside a test: a file that does not load, a hook, an error nobody caught
 * @property {string[]} skipped
 */

/**
 * @param {readonly import('vitest/node').TestModule[]} testModules
 * @param {readonly { message?: string }[]} unhandledErrors
 * @returns {TestSummary}
 */
export function summarize(testModules, unhandledErrors) {
  /** @type {TestSummary} */
  const summary = { passed: 0, failed: [], skipped: [] }
  for (const testModule of testModules) {
    const file = testModule.relativeModuleId
    if (testModule.errors().length > 0) summary.failed.push(`${file} (the file itself)`)
    for (const suite of testModule.children.allSuites()) {
      if (suite.errors().length > 0) summary.failed.push(`${file} > ${suite.fullName} (a hook)`)
    }
    for (const test of testModule.children.allTests()) {
      const { state } = test.result()
      const title = `${file} > ${test.fullName}`
      if (state === 'passed') summary.passed += 1
      else if (state === 'skipped') summary.skipped.push(title)
      // A test that is still pending at the end never got its chance: that is no success.
      else summary.failed.push(title)
    }
  }
  for (const error of unhandledErrors) summary.failed.push(`an error nobody caught: ${error.message ?? 'no message'}`)
  return summary
}

/** @param {TestSummary} summary */
export function formatClosingLine(summary) {
  const skipped = summary.skipped.length > 0 ? `, ${summary.skipped.length} skipped` : ''
  return `${summary.passed} passed, ${summary.failed.length} failed${skipped}`
}

/**
 * Why the run as a whole is a failure; empty when it is not.
 *
 * @param {TestSummary} summary
 * @param {{ exitCode: number, refuseSkips: boolean }} run
 * @returns {string[]}
 */
export function findFailures(summary, run) {
  const failures = []
  if (summary.failed.length > 0) failures.push(`${summary.failed.length} failed:`, ...summary.failed.map(indent))
  if (summary.passed + summary.failed.length + summary.skipped.length === 0) {
    failures.push('No test ran. Check the path or pattern after "npm test --".')
  }
  if (run.refuseSkips && summary.skipped.length > 0) {
    failures.push(
      `${summary.skipped.length} skipped, which CI=true does not allow; install what they need:`,
      ...summary.skipped.map(indent),
    )
  }
  if (run.exitCode !== 0 && failures.length === 0) failures.push(`vitest ended with exit code ${run.exitCode}.`)
  return failures
}

/** @param {string} line */
const indent = (line) => `  ${line}`

export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} testModules
   * @param {readonly { message?: string }[]} unhandledErrors
   */
  onTestRunEnd(testModules, unhandledErrors) {
    const path = process.env.SWITCHBOARD_TEST_SUMMARY
    if (path) writeFileSync(path, JSON.stringify(summarize(testModules, unhandledErrors)))
  }
}
