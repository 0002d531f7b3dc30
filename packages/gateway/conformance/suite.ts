/** Runs the official conformance suite against one URL and reads what it found, scenario by scenario. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof REVISIONS)[number]

export interface Requirement {
  readonly scenario: string
  readonly scored: boolean
  /** Why it does not count. */
  readonly reason?: string
}

export interface ScenarioResult {
  readonly scenario: string
  readonly passed: boolean
  readonly succeeded: number
  readonly warnings: number
  /** `check: what was wrong`, for everything that did not succeed. */
  readonly complaints: readonly string[]
}

export type SuiteResult = ReadonlyMap<string, ScenarioResult>

const require = createRequire(import.meta.url)
/** For one scenario; the longest takes five seconds. */
const TIMEOUT_MS = '15000'
const SUITE_ROOT = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'))

/** What a revision requires of a server, from the file that the suite itself goes by. */
export async function readRequirements(revision: Revision): Promise<Requirement[]> {
  const text = await readFile(join(SUITE_ROOT, 'requirements', `${revision}.yaml`), 'utf8')
  return parseRequirements(text)
}

/** Knows the two shapes of that file, a list of names and a list of entries with `scenario`, `leg` and `reason`. */
export function parseRequirements(text: string): Requirement[] {
  const requirements: Requirement[] = []
  let section = ''
  let entry: { scenario: string; leg?: string } | undefined
  for (const line of text.split(/\r?\n/)) {
    section = /^(\w+):\s*$/.exec(line)?.[1] ?? section
    const name = /^ {2}- ([\w/-]+)\s*$/.exec(line)?.[1]
    if (name !== undefined && section === 'server') requirements.push({ scenario: name, scored: true })
    const scenario = /^ {2}- scenario: (\S+)/.exec(line)?.[1]
    if (scenario !== undefined && section === 'not_scored') entry = { scenario }
    const [, key, value = ''] = /^ {4}(leg|reason): (\S+)/.exec(line) ?? []
    if (entry === undefined) continue
    if (key === 'leg') entry.leg = value
    if (key === 'reason' && entry.leg === 'server') {
      requirements.push({ scenario: entry.scenario, scored: false, reason: value })
    }
  }
  return requirements
}

/** Rejects when the suite itself did not run; scenarios that fail are results. */
export async function runSuite(url: string, revision: Revision): Promise<SuiteResult> {
  const output = await mkdtemp(join(tmpdir(), 'switchboard-conformance-'))
  try {
    const program = join(SUITE_ROOT, 'dist', 'index.js')
    const args = [
      program,
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--timeout',
      TIMEOUT_MS,
      '--output-dir',
      output,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    const said = collectOutput(child)
    const [code] = await once(child, 'close')
    const results = await readResults(output)
    if (results.size === 0) throw new Error(`The suite reported nothing (exit code ${code}):\n${said().slice(-2000)}`)
    return results
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return () => text
}

/** One folder for each scenario, `server-<scenario>-<time>`, with a file of checks. */
async function readResults(directory: string): Promise<Map<string, ScenarioResult>> {
  const results = new Map<string, ScenarioResult>()
  for (const folder of await readdir(directory)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(folder)?.[1]
    if (scenario === undefined) continue
    const text = await readFile(join(directory, folder, 'checks.json'), 'utf8').catch(() => '[]')
    results.set(scenario, judge(scenario, JSON.parse(text) as Check[]))
  }
  return results
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** A scenario without a single check has not shown anything, so it has not passed. */
function judge(scenario: string, checks: readonly Check[]): ScenarioResult {
  const count = (status: string): number => checks.filter((check) => check.status === status).length
  const complaints = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage = 'no reason given' }) => `${id} (${status.toLowerCase()}): ${errorMessage}`)
  return {
    scenario,
    passed: checks.length > 0 && count('FAILURE') === 0,
    succeeded: count('SUCCESS'),
    warnings: count('WARNING'),
    complaints,
  }
}
