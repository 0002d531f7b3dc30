import { expect, it } from 'vitest'
import { joinScopes, readChallenge } from '../../src/oauth/challenge.ts'

it.each([
  [undefined, { scheme: undefined, scope: undefined }],
  ['', { scheme: undefined }],
  ['Bearer', { scheme: 'bearer', resourceMetadata: undefined }],
  ['bearer realm="x"', { scheme: 'bearer' }],
  [
    'Bearer resource_metadata="https://a.test/.well-known/x", scope="read write", error="insufficient_scope"',
    { resourceMetadata: 'https://a.test/.well-known/x', scope: 'read write', error: 'insufficient_scope' },
  ],
  ['Basic realm="a, b=c", Bearer error=invalid_token', { scheme: 'bearer', error: 'invalid_token' }],
  ['Basic realm="only"', { scheme: 'basic' }],
  ['Bearer scope="with \\"quotes\\""', { scope: 'with "quotes"' }],
  ['Bearer scope = "spaced"', { scope: 'spaced' }],
])('reads %j', (header, expected) => {
  expect(readChallenge(header)).toMatchObject(expected)
})

it('reads a header that is made to be slow in no time', () => {
  const before = performance.now()
  for (const text of [
    '="'.repeat(50_000),
    '\\"'.repeat(50_000),
    'a '.repeat(50_000),
    `Bearer x="${'\\'.repeat(50_000)}`,
  ]) {
    readChallenge(text)
  }
  expect(performance.now() - before).toBeLessThan(1_000)
})

it('joins rights without repeating them', () => {
  expect(joinScopes('read', undefined, 'admin read', '')).toBe('read admin')
  expect(joinScopes(undefined, '')).toBeUndefined()
})
