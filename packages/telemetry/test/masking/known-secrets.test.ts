import { expect, it } from 'vitest'
import { rememberSecrets } from '../../src/masking/known-secrets.ts'
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
