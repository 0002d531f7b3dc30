import { expect, test } from 'vitest'
import { maskArguments, maskCommandLine } from '../../src/masking/mask-arguments.ts'
import { maskSecrets } from '../../src/masking/mask-secrets.ts'

// Put together here, so that no scanner takes this file for a leak.
const issued = `sk-${'proj-Abc123Def456'}`
const random = 'a1B2c3D4'.repeat(4)

test.each([
  [
    ['--token', 'X'],
    ['--token', '[masked]'],
  ],
  [
    ['--api-key', 'X'],
    ['--api-key', '[masked]'],
  ],
  [
    ['--apiKey', 'X', '--port', '80'],
    ['--apiKey', '[masked]', '--port', '80'],
  ],
  [
    ['-token', 'X'],
    ['-token', '[masked]'],
  ],
  [
    ['--key', 'X'],
    ['--key', '[masked]'],
  ],
  [
    ['--key', '/etc/tls/key.pem'],
    ['--key', '/etc/tls/key.pem'],
  ],
  [['--pat=X'], ['--pat=[masked]']],
  [['--client-secret=X Y'], ['--client-secret=[masked]']],
  [
    ['--auth', 'X'],
    ['--auth', '[masked]'],
  ],
  [
    ['--header', 'Authorization: Bearer X'],
    ['--header', 'Authorization: [masked]'],
  ],
  [
    ['-H', 'X-Api-Key: X'],
    ['-H', 'X-Api-Key: [masked]'],
  ],
  [['--header=X-Trace:X'], ['--header=X-Trace:[masked]']],
  [
    ['-e', 'GITHUB_PERSONAL=X', '-e', 'PLAIN'],
    ['-e', 'GITHUB_PERSONAL=[masked]', '-e', 'PLAIN'],
  ],
  [
    ['-e', 'console.log(1)'],
    ['-e', 'console.log(1)'],
  ],
  [
    ['-u', 'me:X1', '--user=1000:1000'],
    ['-u', 'me:[masked]', '--user=1000:1000'],
  ],
  [['GITHUB_TOKEN=X'], ['GITHUB_TOKEN=[masked]']],
  [['https://h/mcp?key=X&a=b'], ['https://h/mcp?key=[masked]&a=b']],
  [
    ['mcp-remote', 'https://me:X@h/mcp'],
    ['mcp-remote', 'https://me:[masked]@h/mcp'],
  ],
  [['postgres://me:X@h/db'], ['postgres://me:[masked]@h/db']],
  [[issued], ['[masked]']],
  [[random], ['[masked]']],
  [
    ['--max-tokens', '4096'],
    ['--max-tokens', '4096'],
  ],
  [
    ['--token', '--verbose'],
    ['--token', '--verbose'],
  ],
  [
    ['-y', '@modelcontextprotocol/server-filesystem', '/data'],
    ['-y', '@modelcontextprotocol/server-filesystem', '/data'],
  ],
  [['--token'], ['--token']],
  [['--token='], ['--token=']],
])('%j is shown as %j', (words, expected) => {
  expect(maskArguments(words)).toEqual(expected)
  expect(maskArguments(expected)).toEqual(expected)
  expect(maskSecrets({ args: words })).toMatchObject({
    args: expected.map((word, index) => (words[index] === random ? random : word)),
  })
})

test('a line of a table of processes is masked word by word', () => {
  expect(maskCommandLine(`npx server --key X --token Y -H Authorization: Bearer Z ${issued}`)).toBe(
    'npx server --key [masked] --token [masked] -H Authorization: [masked]',
  )
})
