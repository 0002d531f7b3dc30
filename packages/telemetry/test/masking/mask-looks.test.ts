import { describe, expect, test } from 'vitest'
import { looksLikeSecret, maskLooks, readEnvironmentSecrets } from '../../src/masking/mask-looks.ts'

const RANDOM = 'wJalrXUtnF3MI9K7MD3NGbPxRfiCY4zQ8LmT2vB1'

describe('what a program holds', () => {
  test.each([
    'token=79',
    "tokens=['a', 'b']",
    'nextToken={kind: "name", value: "if", start: 12}',
    'token: "identifier"',
    'key=Symbol(key)',
    'apiKey="abc"',
    'token="2026-11-16T15:00:00.000Z"',
    'sha="356a192b7913b04c54574d18c28d46e6395428ab"',
    'id="123e4567-e89b-12d3-a456-426614174000"',
    'integrity="sha512-EbHw3Ck1sn0dQ5c9GqGmVbqLxOQ8VZ9z1a2b3c4d5e6f7G8H9I0J1K2L3M4N5O6P7Q8R9S0TuVwXyZ=="',
    'name="getElementsByTagNameNamespacedAndQualified2"',
    'path="/home/you/project/packages/packs/debug/src/tools/debug-probe.ts"',
    'mappings="AAAA,SAASA,EAAEC,CAAC,EAAEC,CAAC,EAAE,CAAC,CAAC"',
    'the secret is out, said the author',
    'password: string',
    'tokenizer="WordPieceTokenizer1234"',
  ])('is shown: %s', (text) => {
    expect(maskLooks(text)).toBe(text)
  })

  test.each([
    ['x="ghp_0123456789abcdefghijABCDEFGHIJ012345"', 'x="[masked]"'],
    [`value='${RANDOM}'`, "value='[masked]'"],
    ['{token: "a81bc81bdead4e5d", level: 3}', '{token: "[masked]", level: 3}'],
    ['{"sessionToken":"q8Zt3Kd92LmX7vB1"}', '{"sessionToken":"[masked]"}'],
    ['"{\\"api_key\\":\\"q8Zt3Kd92LmX7vB1\\"}"', '"{\\"api_key\\":\\"[masked]\\"}"'],
    ['password=hunter2!', 'password=[masked]'],
    ['client_secret => "s3cr3t-thing"', 'client_secret => "[masked]"'],
    ['postgres://bob:hunter22@db/x', 'postgres://bob:[masked]@db/x'],
  ])('is hidden where it looks like a secret: %s', (text, shown) => {
    expect(maskLooks(text)).toBe(shown)
  })

  test('is hidden wherever it is a known secret', () => {
    expect(maskLooks('say correct-horse, twice: correct-horse', ['correct-horse'])).toBe(
      'say [masked], twice: [masked]',
    )
  })

  test('is read in a time that grows with its length only', () => {
    // Anything worse than linear does not come back within the test's time.
    for (const piece of ['a', 'A1', '"', 'token', 'token=', 'x:', '\\', 'pass ', 'a=b1C']) {
      expect(maskLooks(piece.repeat(Math.ceil(1_000_000 / piece.length))).length).toBeGreaterThan(0)
    }
  })
})

test('the name is a hint to what a text is', () => {
  expect(looksLikeSecret('token', 'q8Zt3Kd92LmX7vB1')).toBe(true)
  expect(looksLikeSecret('word', 'q8Zt3Kd92LmX7vB1')).toBe(false)
  expect(looksLikeSecret('password', 'hunter2')).toBe(true)
  expect(looksLikeSecret('password', 'password')).toBe(false)
  expect(looksLikeSecret('passwordFile', 'hunter2')).toBe(false)
})

test('an environment tells values that are secrets, and none that stands under a plain name too', () => {
  expect(
    readEnvironmentSecrets({
      API_TOKEN: 'correct-horse',
      OPENAI_KEY: 'battery-staple',
      SSH_AUTH: '/tmp/agent.1',
      TOKEN_DIRECTORY: '/home/you/.config/tokens/for-all-of-them',
      SIGNING_KEY: '/9j4AAQSkZJRgABAQEASABIAAD2wBDAAMCAgMCAgM=',
      DB_PASSWORD: 'postgres',
      DB_USER: 'postgres',
      MAX_TOKENS: '100000',
      GITHUB_TOKEN: 'x',
      PATH: '/usr/bin',
    }),
  ).toEqual(['correct-horse', 'battery-staple', '/9j4AAQSkZJRgABAQEASABIAAD2wBDAAMCAgMCAgM='])
})
