/** `docs/errors.md`, made from the catalogue. */
import { ERROR_CATALOGUE, ERROR_CODES } from './catalogue.ts'
import { type ErrorEntry, type ErrorFamily, HTTP_STATUS } from './error-entry.ts'

const FAMILIES: Readonly<Record<ErrorFamily, string>> = {
  caller: "The caller's mistake, or the caller's wish. The same call will fail again until something is changed.",
  upstream: 'A failure of an MCP server, or of the way to it. The message says which server and what it was doing.',
  ours: 'A bug in Switchboard. The only family that is logged with a stack.',
}

export function createErrorsDocument(): string {
  return [
    '# Errors',
    '',
    '<!-- Generated from packages/protocol/src/errors/catalogue.ts. Do not edit. -->',
    '',
    'Every failure is exactly one of these codes, and the code arrives at the agent unchanged. In the result of a tool',
    'call it is the text `[code] message. hint` and, in `structuredContent`, an envelope; in a JSON-RPC error the same',
    'envelope is its `data`:',
    '',
    '```json',
    '{"ok": false, "type": "error",',
    ' "error": {"code": "…", "category": "…", "message": "…", "hint": "…",',
    '           "executed": false, "retryable": false, "retryAfterMs": null, "details": {}},',
    ' "meta": {"requestId": "…", "traceId": "…", "tool": "…", "provider": "…", "timestamp": "…", "durationMs": 3}}',
    '```',
    '',
    '`executed` says whether the tool ran: `no`, `yes`, or `unknown` when it was sent and nobody can say how far it',
    'came. `retryable` says whether the same call may succeed later without a change. Both are the usual values; an',
    'error that knows better says so itself.',
    '',
    '## Families',
    '',
    '| family | meaning | codes |',
    '| --- | --- | --- |',
    ...Object.entries(FAMILIES).map(([family, meaning]) => row(family, meaning, listCodes('family', family))),
    '',
    '## Categories',
    '',
    '| category | HTTP | codes |',
    '| --- | --- | --- |',
    ...Object.entries(HTTP_STATUS).map(([category, status]) =>
      row(category, String(status), listCodes('category', category)),
    ),
    '',
    '## Codes',
    '',
    '| code | category | HTTP | JSON-RPC | executed | retryable | when | hint |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...ERROR_CODES.map(createCodeRow),
    '',
  ].join('\n')
}

function createCodeRow(code: keyof typeof ERROR_CATALOGUE): string {
  const entry: ErrorEntry = ERROR_CATALOGUE[code]
  const executed = entry.executed === 'unknown' ? 'unknown' : entry.executed ? 'yes' : 'no'
  return row(
    `\`${code}\``,
    entry.category,
    String(HTTP_STATUS[entry.category]),
    String(entry.rpcCode),
    executed,
    entry.retryable ? 'yes' : 'no',
    entry.when,
    entry.hint,
  )
}

function listCodes(member: 'family' | 'category', value: string): string {
  const codes = ERROR_CODES.filter((code) => ERROR_CATALOGUE[code][member] === value)
  return codes.length === 0 ? '–' : codes.map((code) => `\`${code}\``).join(', ')
}

/** A bar would end the cell, a line break the row. */
function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
