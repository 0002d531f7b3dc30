import { expect, it } from 'vitest'
import { rememberSecrets } from '../../src/masking/known-secrets.ts'
import { maskArguments } from '../../src/masking/mask-arguments.ts'
import { maskSecrets } from '../../src/masking/mask-secrets.ts'
import { maskText } from '../../src/masking/mask-text.ts'

it('a value that is known to be a secret is masked without its name, as it is, in JSON and in an address', () => {
  const odd = 'q"uiet (horse)+$&'
  const forget = rememberSecrets([odd, 'longer-quiet-horse', 'quiet-horse'])
  const texts = [
    `said ${odd} twice ${odd}`,
    JSON.stringify({ text: odd }),
    `http://x/?q=${encodeURIComponent(odd)}`,
    'longer-quiet-horse, quiet-horse',
  ]
  expect(texts.map(maskText)).toEqual([
    'said [masked] twice [masked]',
    '{"text":"[masked]"}',
    'http://x/?q=[masked]',
    '[masked], [masked]',
  ])
  expect(maskSecrets({ plain: ['quiet-horse'] })).toEqual({ plain: ['[masked]'] })
  forget()
  expect(maskText(texts.join())).toBe(texts.join())
})

it('for as long as one of those who know it does', () => {
  const [one, other] = [rememberSecrets(['quiet-horse']), rememberSecrets(['quiet-horse'])]
  one()
  one()
  expect(maskText('quiet-horse')).toBe('[masked]')
  other()
  expect(maskText('quiet-horse')).toBe('quiet-horse')
})

it('but no word or number of any text', () => {
  const forget = rememberSecrets(['required', 'Development', '12345678', 'tiny1', ''])
  const text = 'required in Development: 12345678 tiny1'
  expect(maskText(text)).toBe(text)
  forget()
})

// As docs/security.md says: what is too short or too plain to be known by its value is hidden by its key alone.
it.each(['abc', 'tiny1', 'required', '12345678'])('so %j is masked by its key, and seen without it', (value) => {
  const forget = rememberSecrets([value])
  const texts = [
    `password=${value}`,
    JSON.stringify({ clientSecret: value }),
    `curl --api-key ${value}`,
    `https://example.com/?access_token=${value}`,
  ]
  for (const text of texts) {
    expect(maskText(text)).toContain('[masked]')
    expect(maskText(text)).not.toContain(value)
  }
  expect(maskArguments(['--token', value])).toEqual(['--token', '[masked]'])
  expect(maskSecrets({ API_TOKEN: value, plain: value })).toEqual({ API_TOKEN: '[masked]', plain: value })
  expect(maskText(`the server said ${value}`)).toBe(`the server said ${value}`)
  forget()
})

it('one of six characters is known by its value', () => {
  const forget = rememberSecrets(['tiny12'])
  expect(maskText('the server said tiny12')).toBe('the server said [masked]')
  forget()
})
