import { describe, expect, test } from 'vitest'
import { scanSecrets } from '../../src/masking/scan-secrets.ts'

// Put together here, so that no scanner takes this file for a leak.
const mixed = 'q8Zt3Kd92LmX7vB1Ww5Yp4Rn6Ts0Hc'
const hex = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const jwt = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N'}`

describe('a secret is masked, and told by what it is', () => {
  test.each([
    ['AWS key', `AKIA${'IOSFODNN7EXAMPLE'}`],
    ['GitHub token', `ghp_${mixed}`],
    ['GitHub token', `github_pat_${mixed}`],
    ['GitLab token', `glpat-${mixed.slice(0, 20)}`],
    ['GitLab token', `glrt-${mixed.slice(0, 20)}`],
    ['Slack token', `xoxb-${'123456789012-abcdef'}`],
    ['Stripe key', `sk_live_${mixed}`],
    ['Google key', `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`],
    ['Google key', `GOCSPX-${mixed}`],
    ['Anthropic key', `sk-ant-api03-${mixed}`],
    ['OpenAI key', `sk-proj-${mixed}`],
    ['SendGrid key', `SG.${mixed.slice(0, 22)}.${mixed}`],
    ['Twilio key', `SK${hex}`],
    ['Heroku key', `HRKU-${mixed}`],
    ['npm token', `npm_${mixed}`],
    ['PyPI token', `pypi-${mixed}${mixed}`],
    ['Docker token', `dckr_pat_${mixed}`],
    ['Databricks token', `dapi${hex}`],
    ['Hugging Face token', `hf_${mixed}`],
    ['Mailgun key', `key-${hex}`],
    ['Azure key', `abc${'8Q~'}${mixed}${'x-._'}`],
    ['JWT', jwt],
    ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed}\n-----END OPENSSH PRIVATE KEY-----`],
    ['random key', `${mixed}${mixed}`],
  ])('%s', (kind, secret) => {
    const { text, found } = scanSecrets(`it was ${secret} all along`)
    expect(text).toBe('it was [masked] all along')
    expect([...found]).toEqual([[kind, 1]])
  })

  test.each([
    ['environment variable', 'export DB_PASSWORD=postgres', 'export DB_PASSWORD=[masked]'],
    ['environment variable', `run -e API_KEY="k-9f8e7d6c" app`, 'run -e API_KEY="[masked]" app'],
    ['environment variable', 'AWS_SECRET_ACCESS_KEY=abcd/efg', 'AWS_SECRET_ACCESS_KEY=[masked]'],
    ['password', 'password: "hunter2!"', 'password: "[masked]"'],
    ['secret by its name', `token: "${hex}"`, 'token: "[masked]"'],
    ['bearer token', 'Authorization: Bearer abc.def-123', 'Authorization: Bearer [masked]'],
    ['password in an address', 'postgres://app:s3cret@db/main', 'postgres://app:[masked]@db/main'],
    ['password in an address', 'DATABASE_URL=mysql://u:pw12@h/db', 'DATABASE_URL=mysql://u:[masked]@h/db'],
    ['password', 'mysqldump --password=hunter2! shop', 'mysqldump --password=[masked] shop'],
    ['secret by its name', `deploy --api-key '${'k9-f8e7d6c'}'`, "deploy --api-key '[masked]'"],
    ['password', 'curl -su x -u me:hunter2! https://h', 'curl -su x -u me:[masked] https://h'],
    ['password', '<server><password>hunter2!</password></server>', '<server><password>[masked]</password></server>'],
    ['key in an address', 'https://h/x?sig=ab%2Fc#top', 'https://h/x?sig=[masked]#top'],
    [
      'Azure key',
      `AccountName=a;AccountKey=${'abcdEFGH1234'.repeat(4)}==;x=y`,
      'AccountName=a;AccountKey=[masked];x=y',
    ],
    [
      'webhook address',
      `https://hooks.slack.com/services/${'T01ABCDEF/B01ABCDEF/abcdefghijkl'}`,
      'https://hooks.slack.com/services/[masked]',
    ],
  ])('%s: %s', (kind, text, masked) => {
    const scan = scanSecrets(text)
    expect(scan.text).toBe(masked)
    expect([...scan.found]).toEqual([[kind, 1]])
    expect(scanSecrets(masked)).toEqual({ text: masked, found: new Map() })
  })

  test('each is counted', () => {
    const { found } = scanSecrets(`ghp_${mixed} and ghp_${mixed}, then DB_PASSWORD=hunter22`)
    expect(Object.fromEntries(found)).toEqual({ 'GitHub token': 2, 'environment variable': 1 })
  })
})

test.each([
  'token=79, next token: identifier',
  'TOKEN=79 KEY=ENTER TOKEN_KIND=IDENTIFIER',
  'const token = lexer.next(); if (token === Token.Plus) return parse(token)',
  'API_KEY=your-key-here SECRET=changeme TOKEN=$TOKEN AUTH=<token>',
  'commit 356a192b7913b04c54574d18c28d46e6395428ab fixes 123e4567-e89b-12d3-a456-426614174000',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'at Object.<anonymous> (/home/you/project/node_modules/@scope/package/dist/index.js:10:5)',
  'SSH_AUTH_SOCK=/tmp/agent.1 MAX_TOKENS=100000 PRIVATE_KEY_PATH=/etc/key.pem',
  'Unexpected token } in JSON at position 3',
  'docker run -u 1000:1000 -u www-data:www-data x --token $TOKEN --password-stdin --secret id=npm,src=.npmrc',
  'the option --token takes a word, <token>NUMBER</token> and <password>$PASSWORD</password>',
  'password = os.environ["DB"], allow secretsmanager:GetSecretValue',
  'thread main panicked at src/main.rs:4:5: called `Option::unwrap()` on a `None` value',
  'Cannot read properties of undefined (reading "map")',
  'https://registry.example/@scope/package/-/package-1.0.0.tgz',
  'integrity sha512-EbHw3Ck1sn0dQ5c9GqGmVbqLxOQ8VZ9z1a2b3c4d5e6f7G8H9I0J1K2L3M4N5O6P7Q8R9S0TuVwXyZ==',
])('what is no secret stays: %s', (text) => {
  expect(scanSecrets(text)).toEqual({ text, found: new Map() })
})

test.each([
  'A',
  'A_',
  'KEY=',
  'KEY=a',
  'API_KEY="',
  'gl',
  'glpat-',
  'SK0',
  '://hooks.slack.com/services/',
  'AccountKey=',
])('a megabyte of %s is read in linear time', (piece) => {
  // Anything worse than linear does not come back within the test's time.
  expect(typeof scanSecrets(piece.repeat(Math.ceil(1_048_576 / piece.length))).text).toBe('string')
})
