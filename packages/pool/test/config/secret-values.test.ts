import { expect, it } from 'vitest'
import { listSecretValues } from '../../src/config/secret-values.ts'
import { readServer } from './read-config.ts'

function valuesOf(entry: object): string[] {
  return listSecretValues(readServer(entry, { KEPT: 'from-outside' }))
}

it('the values under names of secrets, in arguments and in addresses are those that a server may say back', () => {
  expect(
    valuesOf({
      command: 'x',
      args: ['--api-key', 'in-a-word', '--token=in-one', '--root', '/srv'],
      env: { API_KEY: 'in-the-environment', PLAIN: 'said-by-all', SECRET: `\${KEPT}`, TOKEN_FILE: '/run/token' },
    }).sort(),
  ).toEqual(['from-outside', 'in-a-word', 'in-one', 'in-the-environment'])
  expect(
    valuesOf({
      url: 'https://example.com/mcp?api_key=in-the-address',
      headers: {
        Authorization: 'Bearer in-a-header',
        'X-API-Key': 'in-another',
        Accept: 'text/plain',
        'X-Signature': 'three words here',
      },
    }).sort(),
  ).toEqual(['in-a-header', 'in-another', 'in-the-address', 'three words here'])
})
