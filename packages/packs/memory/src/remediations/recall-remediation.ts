/**
 * Whether an error that an agent has just met was solved before: one line, or nothing. Nobody has asked, so only what is the same
 * error, and did not fail more often than it worked, is worth the line. By words alone: an encoder may be far away.
 */
import type { Caller } from '@switchboard/protocol'
import type { MetError } from '@switchboard/toolkit'
import { toLine } from '../answers/format-hits.ts'
import type { Host } from '../host.ts'
import { scopesOf } from '../projects/projects.ts'
import { Finder } from '../search/finder.ts'
import { scanSecrets } from '../secrets/hide-secrets.ts'
import { listNames, weighWords } from './compare-words.ts'
import { findRemediations } from './find-remediations.ts'
import { readError } from './read-error.ts'
import { describeSuccess, type Remediation } from './remediation.ts'

/** An error is told at the beginning of a text, or at its end. */
const MAX_HALF = 4_000
const MAX_SUMMARY = 120
const MAX_MESSAGE = 100
const BAR = 0.9
const LIMIT = 3

/** Without an encoder. */
const finder = new Finder()

export async function recallRemediation(
  { space }: Pick<Host, 'space'>,
  { message, type, stack }: MetError,
  { workspace }: Pick<Caller, 'workspace'>,
): Promise<string | undefined> {
  const error = readError({ message: toEnds(scanSecrets(toEnds(message)).text), stack: toEnds(stack ?? ''), type })
  if (error.normal === '') return undefined
  // What is the same error has the same names in it.
  const names = listNames(weighWords(error.normal, error.type), error.type)
  const text = names.length === 0 ? {} : { text: names.join(' ') }
  const wanted = { scopes: scopesOf(workspace), limit: LIMIT, minScore: BAR, ...text }
  const { found } = await findRemediations(finder, await space('remediations'), error, wanted)
  const sure = found.find(({ match, remediation }) => match.isSure && remediation.failed <= remediation.worked)
  return sure === undefined ? undefined : toSeenLine(sure.remediation)
}

function toSeenLine(remediation: Remediation): string {
  const [first = ''] = remediation.solution.trim().split('\n', 1)
  // What it says, not the stack before it: by this it is found again.
  const errorMessage = toLine(readError({ message: remediation.errorMessage }).message, MAX_MESSAGE)
  const call = `remediation_search ${JSON.stringify({ errorMessage })}`
  return `seen before: ${toLine(first, MAX_SUMMARY)} (${describeSuccess(remediation)}), ${call}`
}

function toEnds(text: string): string {
  return text.length <= 2 * MAX_HALF ? text : `${text.slice(0, MAX_HALF)}\n${text.slice(-MAX_HALF)}`
}
