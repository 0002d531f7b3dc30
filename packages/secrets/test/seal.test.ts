import { expect, it } from 'vitest'
import { createKey, formatKey, nameKey, parseKey, seal, unseal } from '../src/seal.ts'

const key = createKey()

it('opens what it sealed, and never seals twice alike', () => {
  expect(unseal(key, 'a', seal(key, 'a', 'secret'))).toBe('secret')
  expect(seal(key, 'a', 'secret')).not.toBe(seal(key, 'a', 'secret'))
})

it('does not open for another name, with another key, or what was changed', () => {
  const sealed = seal(key, 'a', 'secret')
  const changed = Buffer.from(sealed, 'base64')
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => unseal(key, 'b', sealed)).toThrow()
  expect(() => unseal(createKey(), 'a', sealed)).toThrow()
  expect(() => unseal(key, 'a', changed.toString('base64'))).toThrow()
  expect(() => unseal(key, 'a', sealed.slice(0, 8))).toThrow()
})

it('reads a key as a keychain gives it back, and nothing else', () => {
  expect(parseKey(`${formatKey(key)}\n`)?.equals(key)).toBe(true)
  expect(parseKey('')).toBeUndefined()
  expect(parseKey('c2hvcnQ=')).toBeUndefined()
  expect(nameKey(key)).not.toContain(formatKey(key).slice(0, 8))
})
