import { describe, expect, test } from 'vitest'
import { PrivateKeyLines } from '../../src/masking/private-key-lines.ts'

const hideAll = (lines: readonly string[]): string[] => {
  const keys = new PrivateKeyLines()
  return lines.map((line) => keys.hide(line))
}

describe('a private key that comes line by line', () => {
  test('is hidden between its first and its last line, and what follows is not', () => {
    const lines = [
      'before',
      'key: -----BEGIN RSA PRIVATE KEY-----',
      'Proc-Type: 4,ENCRYPTED',
      '',
      'MIIEowIBAAKCAQEA+/=',
      '-----END RSA PRIVATE KEY----- and more',
      'after',
    ]
    expect(hideAll(lines)).toEqual([
      'before',
      'key: -----BEGIN RSA PRIVATE KEY-----',
      '[masked]',
      '[masked]',
      '[masked]',
      '[masked]-----END RSA PRIVATE KEY----- and more',
      'after',
    ])
  })

  test('that is whole on one line, and a public one, hide nothing else', () => {
    const lines = [
      '-----BEGIN PRIVATE KEY----- x -----END PRIVATE KEY-----',
      'next',
      '-----BEGIN CERTIFICATE-----',
      'MIIB',
    ]
    expect(hideAll(lines)).toEqual(lines)
  })

  test('that never ends is over with the first line that belongs to none, or after two hundred', () => {
    expect(hideAll(['-----BEGIN PRIVATE KEY-----', 'MIIB', 'Error: it broke (really)', 'MIIB'])).toEqual([
      '-----BEGIN PRIVATE KEY-----',
      '[masked]',
      'Error: it broke (really)',
      'MIIB',
    ])
    const endless = hideAll(['-----BEGIN PRIVATE KEY-----', ...Array.from({ length: 300 }, () => 'word')])
    expect(endless.filter((line) => line === 'word')).toHaveLength(100)
  })
})
