import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createErrorsDocument,
  ERROR_CATALOGUE,
  ERROR_CODES,
  type ErrorEntry,
  HTTP_STATUS,
} from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { findRaisedCodes, readSources } from './raised-codes.ts'

const root = join(import.meta.dirname, '../../../..')
const document = readFileSync(join(root, 'docs/errors.md'), 'utf8').replaceAll('\r\n', '\n')

interface DocumentedCode {
  code: string
  cells: string[]
}

function readCodeRows(text: string): DocumentedCode[] {
  const table = text.slice(text.indexOf('## Codes'))
  const rows = table.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)
  return [...rows].map(([, code = '', rest = '']) => ({ code, cells: rest.split(' | ') }))
}

describe('docs/errors.md', () => {
  it('is what the catalogue says now (else: npm run generate)', () => {
    expect(document).toBe(createErrorsDocument())
  })

  it('lists every code of the catalogue, and no other, once', () => {
    expect(readCodeRows(document).map(({ code }) => code)).toEqual(ERROR_CODES)
  })

  it.each(ERROR_CODES)('says of %s what the catalogue says', (code) => {
    const entry: ErrorEntry = ERROR_CATALOGUE[code]
    const executed = { true: 'yes', false: 'no', unknown: 'unknown' }[String(entry.executed)]
    expect(readCodeRows(document).find((row) => row.code === code)?.cells).toEqual([
      entry.category,
      String(HTTP_STATUS[entry.category]),
      String(entry.rpcCode),
      executed,
      entry.retryable ? 'yes' : 'no',
      entry.when,
      entry.hint,
    ])
  })

  it('names every category with its HTTP kin', () => {
    for (const [category, status] of Object.entries(HTTP_STATUS))
      expect(document).toContain(`| ${category} | ${status} |`)
  })
})

describe('the catalogue', () => {
  it.each(ERROR_CODES)('writes %s in small letters, with sentences for when and hint', (code) => {
    const { when, hint, rpcCode } = ERROR_CATALOGUE[code]
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(when).toMatch(/^[A-Z].*\.$/)
    expect(hint).toMatch(/^[A-Z].*\.$/)
    // -32020 to -32099 belong to the protocol; 429 is what gateways use for a rate limit.
    expect(rpcCode === 429 || (rpcCode <= -32000 && rpcCode > -32020) || rpcCode <= -32600).toBe(true)
  })
})

describe('the codes raised in the sources', () => {
  const raised = new Set(readSources(join(root, 'packages')).flatMap((source) => [...findRaisedCodes(source)]))

  it('are all of the catalogue: a code that nothing raises is taken out', () => {
    expect(ERROR_CODES.filter((code) => !raised.has(code))).toEqual([])
  })
})

describe('findRaisedCodes', () => {
  it.each([
    ["throw new SwitchboardError('timeout', 'x')", ['timeout']],
    ["new SwitchboardError(\n    'timeout',\n    'x')", ['timeout']],
    ["new SwitchboardError(closed ? 'server_exited' : 'timeout', 'x')", ['server_exited', 'timeout']],
    ["createCallError('queue_timeout', name)", ['queue_timeout']],
    ["const code = 'internal' satisfies ErrorCode", ['internal']],
    ["if (state === 'timeout') return 'cancelled'", []],
    ["new SwitchboardError(code, 'timeout')", []],
  ])('reads %j', (source, expected) => {
    expect([...findRaisedCodes(source)]).toEqual(expected)
  })
})
