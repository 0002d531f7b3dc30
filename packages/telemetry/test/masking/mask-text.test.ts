import { expect, test } from 'vitest'
import { cleanText, maskForms, maskText } from '../../src/masking/mask-text.ts'

// Put together here, so that no scanner takes this file for a leak.
const githubToken = `ghp_${'a1B2c3D4'.repeat(4)}`
const jwt = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N'}`
const pem = (kind: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0\n-----END ${kind}PRIVATE KEY-----`

test.each([
  ['Bearer abc.def-123', 'Bearer [masked]'],
  ['authorization: Bearer abc123', 'authorization: [masked]'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [masked]'],
  ['sent Basic dXNlcjpwYXNz to it', 'sent Basic [masked] to it'],
  [`key sk-${'proj-Abc123Def456'} used`, 'key [masked] used'],
  [`cloned with ${githubToken}`, 'cloned with [masked]'],
  [`github_pat_${'11ABCDEFG0aBcDeFgHiJ_kLmNoP'}`, '[masked]'],
  [`xoxb-${'123456789012-abcdef'}`, '[masked]'],
  [`id AKIA${'IOSFODNN7EXAMPLE'}.`, 'id [masked].'],
  [`AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`, '[masked]'],
  [`jwt=${jwt} end`, 'jwt=[masked] end'],
  [`before ${pem('RSA ')} after`, 'before [masked] after'],
  [`before ${pem('')} after`, 'before [masked] after'],
  [`cut ${pem('EC ').slice(0, 60)}`, 'cut [masked]'],
  ['postgres://app:s3cret@db.local:5432/main', 'postgres://app:[masked]@db.local:5432/main'],
  ['redis://:s3cret@cache/0', 'redis://:[masked]@cache/0'],
  ['amqp://u:p@ss@host/vhost', 'amqp://u:[masked]@host/vhost'],
  ['mysql://u:pa/ss@host/db', 'mysql://u:[masked]@host/db'],
  ['run --token=abc123 --verbose', 'run --token=[masked] --verbose'],
  ['run --api-key abc123 --verbose', 'run --api-key [masked] --verbose'],
  ['run --db-password hunter2', 'run --db-password [masked]'],
  ['password=hunter2', 'password=[masked]'],
  ['Password: hunter2', 'Password: [masked]'],
  ['GITHUB_TOKEN=abc npm test', 'GITHUB_TOKEN=[masked] npm test'],
  ['AWS_SECRET_ACCESS_KEY=abc/def+g', 'AWS_SECRET_ACCESS_KEY=[masked]'],
  ['{"apiKey": "abc", "user": "bob"}', '{"apiKey": "[masked]", "user": "bob"}'],
  ['{\\"client_secret\\":\\"abc\\",\\"a\\":1}', '{\\"client_secret\\":\\"[masked]\\",\\"a\\":1}'],
  ["{'password': 'it is'}", "{'password': '[masked]'}"],
  ['{"password":"a\\"b","x":1}', '{"password":"[masked]","x":1}'],
  ['GET /x?access_token=abc&page=2', 'GET /x?access_token=[masked]&page=2'],
  ['https://h/x?X-Amz-Signature=abcd&y=1', 'https://h/x?X-Amz-Signature=[masked]&y=1'],
  ['GET https://h/x?key=abc&page=2', 'GET https://h/x?key=[masked]&page=2'],
  ['https://h/x?a=1&sig=ab%2Fc#top', 'https://h/x?a=1&sig=[masked]#top'],
  [`https://${'a1b2c3d4e5f6a7b8c9d0e1f2'}@h/x`, 'https://[masked]@h/x'],
  ['AccountName=a;AccountKey=abc==;x=y', 'AccountName=a;AccountKey=[masked];x=y'],
  [`SG.${'a1B2c3D4e5F6g7H8'}.${'a1B2c3D4e5F6g7H8'}`, '[masked]'],
  ['Server=x;Password=abc;Database=y', 'Server=x;Password=[masked];Database=y'],
  ['Cookie: a=b; session=xyz\nHost: h', 'Cookie: [masked]\nHost: h'],
  ['Set-Cookie: sid=1; HttpOnly', 'Set-Cookie: [masked]'],
  ['API key: abc123', 'API key: [masked]'],
  ['pwd=hunter2', 'pwd=[masked]'],
])('masks the secret in %j', (text, expected) => {
  expect(maskText(text)).toBe(expected)
  expect(maskText(expected)).toBe(expected)
})

test.each([
  'the server answered in 12 ms',
  'Unexpected token } in JSON at position 3',
  'Unexpected token: }',
  'the bearer token is missing',
  'basic understanding of the tokenizer',
  'max_tokens=4096, total tokens: 12',
  'token_type=bearer',
  'token_endpoint=https://auth.example/token',
  'listening on http://localhost:4873/@scope/package',
  'https://example.com/a@b',
  'PWD=/home/someone',
  'password: null, has_token=false',
  'task-runner-with-a-long-name and risk-assessment-of-things',
  'monkey=banana',
  'https://example.com/?monkey=1&keyword=2&page=3',
  'ssh://git@example.com/a.git',
  'exit code=1; key=value',
])('leaves ordinary text alone: %j', (text) => {
  expect(maskText(text)).toBe(text)
})

test.each([
  ['letters', 'a'],
  ['spaces after a keyword', 'password = '],
  ['url starts', 'a://b:'],
  ['url starts with ats', 'a://b:c@'],
  ['jwt starts', 'eyJ-'],
  ['jwt dots', 'eyJaaaaaaaaa.'],
  ['pem starts', '-----BEGIN PRIVATE KEY-----'],
  ['pem starts of another kind', '-----BEGIN A '],
  ['option starts', '--a-'],
  ['dashes', '-'],
  ['open quotes', 'token="\\'],
  ['backslashes', '\\'],
  ['escaped pairs', 'secret="\\a'],
  ['schemes', 'bearer '],
  ['basic words', 'Basic abcdefgh'],
  ['keyword chains', 'tokentoken'],
  ['cookie lines', 'cookie:'],
  ['sk dashes', 'sk-'],
  ['queries', '?key='],
  ['names in addresses', 'a://bcdefghijklmnopqrstuvwxyz'],
  ['dots of SendGrid', 'SG.aaaaaaaaaaaaaaaa.'],
])('a megabyte of %s is masked in linear time', (_, unit) => {
  const text = unit.repeat(Math.ceil(1_048_576 / unit.length))
  // Anything worse than linear does not come back within the test's time.
  expect(typeof maskText(text)).toBe('string')
  expect(typeof maskText(`password="${text}`)).toBe('string')
  expect(cleanText(text).length).toBeLessThan(2_100)
})

test('text is cut at 2,000 characters and says how many are missing', () => {
  expect(cleanText('x'.repeat(2_000))).toBe('x'.repeat(2_000))
  expect(cleanText('x'.repeat(2_345))).toBe(`${'x'.repeat(2_000)}… [345 characters cut]`)
  expect(cleanText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(2_000)}… [998000 characters cut]`)
})

test('a secret that lies across the cut is masked, and a surrogate pair is not cut in two', () => {
  expect(cleanText(`${'x'.repeat(1_990)} ${githubToken}${' '.repeat(100)}`)).not.toContain('ghp_')
  const long = `${'-----BEGIN PRIVATE KEY-----\n'}${'QUJD'.repeat(3_000)}`
  expect(cleanText(long)).not.toContain('QUJD')
  const cut = cleanText(`${'x'.repeat(1_999)}😀😀`)
  expect(cut).toBe(`${'x'.repeat(1_999)}… [4 characters cut]`)
})

test('in source code only what is a secret by its form is masked', () => {
  const line = `const token = readToken() // bearer ${githubToken}`
  expect(maskForms(line)).toBe('const token = readToken() // bearer [masked]')
  expect(maskForms('password = input()')).toBe('password = input()')
  expect(maskForms('connect("postgres://ann:s3cret@host/db")')).toBe('connect("postgres://ann:[masked]@host/db")')
})
