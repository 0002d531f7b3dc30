/** Whatever a caller, a server or an error has put into a span: no secret of a known kind leaves in it. */
import { expect, it } from 'vitest'
import { RecordedSpan } from '../../src/otlp/exporter/recorded-span.ts'
import { createSpanMessage } from '../../src/otlp/exporter/span-message.ts'
import { WallClock } from '../../src/otlp/exporter/wall-clock.ts'

const CORE = 'q7Zx2LmN9pRt4VwYb6Kd'
const HEX = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

/** What is around the secret in a text, and the secret. */
const SECRETS: readonly (readonly [text: string, secret: string])[] = [
  [`sk-${CORE}${CORE}`, CORE],
  [`ghp_${CORE}${CORE}`, CORE],
  [`github_pat_${CORE}${CORE}`, CORE],
  [`glpat-${CORE}`, CORE],
  [`npm_${CORE}${CORE}`, CORE],
  [`hf_${CORE}${CORE}`, CORE],
  [`xoxb-1234-${CORE}`, CORE],
  [`AKIA${'Q7ZX2LMN9PRT4VWY'}`, 'Q7ZX2LMN9PRT4VWY'],
  [`AIza${CORE}${CORE}`, CORE],
  [`eyJ${CORE}.${CORE}.${CORE}`, CORE],
  [`ya29.${CORE}`, CORE],
  [`SG.${CORE}.${CORE}`, CORE],
  [`sk_live_${CORE}`, CORE],
  [`glsa_${CORE}`, CORE],
  [`dapi${HEX}`, HEX],
  [`Bearer ${CORE}`, CORE],
  [`postgres://me:${CORE}@host/db`, CORE],
  [`https://host/x?access_token=${CORE}`, CORE],
  [`password=${CORE}`, CORE],
  [`{"apiKey":"${CORE}"}`, CORE],
  [`Authorization: Basic ${CORE}==`, CORE],
  [`-----BEGIN PRIVATE KEY-----\n${CORE}\n-----END PRIVATE KEY-----`, CORE],
  [`AccountKey=${CORE}${CORE}==`, CORE],
  [`--token ${CORE}`, CORE],
]

function record(text: string, keepsContent: boolean): string {
  const start = {
    name: `tools/call ${text}`,
    kind: 'server',
    traceId: '1'.repeat(32),
    parentId: undefined,
    isSampled: true,
    isParentRemote: false,
    tracestate: text.slice(0, 512),
    attributes: { 'jsonrpc.request.id': text, 'mcp.method.name': text, 'mcp.resource.uri': text },
  } as const
  const span = new RecordedSpan(start, { keepsContent, onEnded: () => {} })
  span.set({ 'switchboard.client': text, 'gen_ai.tool.name': text })
  span.note(text, { 'switchboard.wait.for': text })
  span.setContent('arguments', { note: text, password: CORE, token: HEX })
  span.setContent('result', { content: [{ type: 'text', text }] })
  span.fail(text, `It failed: ${text}`)
  span.end()
  return JSON.stringify(createSpanMessage(span, new WallClock()))
}

it.each(SECRETS)('%s leaves in no part of a span', (text, secret) => {
  for (const keepsContent of [false, true]) {
    const written = record(text, keepsContent)
    expect(written).not.toContain(secret)
    expect(written).toContain('[masked]')
  }
})

it('what is no secret stays, cut where it is long', () => {
  const written = record(`files_read ${'x'.repeat(5_000)}`, false)
  expect(written).toContain('tools/call files_read xxx')
  expect(written.length).toBeLessThan(15_000)
})
