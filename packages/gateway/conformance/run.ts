/**
 * `run.ts [--write]`: the suite of both revisions, directly and through the gateway.
 * Exit code 1: a scored scenario fails directly, or passes directly and fails through the gateway, or the page in docs
 * is not current in what passes. `--write` updates the page.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Comparison, findDirectFailures, findRegressions } from './comparison.ts'
import { PATHS } from './paths.ts'
import { renderPage, renderTable, stripDetails } from './report.ts'
import { runPaths } from './run-paths.ts'
import { REVISIONS, type Revision, readRequirements } from './suite.ts'

const PAGE = fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url))

async function compare(revision: Revision): Promise<Comparison> {
  const requirements = await readRequirements(revision)
  return { revision, requirements, runs: await runPaths(revision, requirements) }
}

function findProblems(comparison: Comparison): string[] {
  const { revision } = comparison
  const failed = findDirectFailures(comparison).map((text) => `${revision}, direct: ${text}`)
  const lost = PATHS.filter(({ by }) => by !== 'direct').flatMap((path) =>
    findRegressions(comparison, path).map((text) => `${revision}, ${path.name}: ${text}`),
  )
  return [...failed, ...lost]
}

const comparisons: Comparison[] = []
for (const revision of REVISIONS) comparisons.push(await compare(revision))
for (const comparison of comparisons) console.log(renderTable(comparison))

const page = renderPage(comparisons)
const problems = comparisons.flatMap(findProblems)
if (process.argv.includes('--write')) await writeFile(PAGE, page)
else if (stripDetails(await readFile(PAGE, 'utf8').catch(() => '')) !== stripDetails(page)) {
  problems.push('docs/conformance.md is not current: run this again with --write')
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
