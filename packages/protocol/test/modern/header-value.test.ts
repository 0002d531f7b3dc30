import { decodeHeaderValue, encodeHeaderValue } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'

describe('the value of a header', () => {
  it.each(['us-west1', 'a b', 'file:///x?y=1', '', '=?base64?'])('is plain where it can be: %j', (text) => {
    expect(encodeHeaderValue(text)).toBe(text)
  })

  it('is base64 of UTF-8 where it cannot', () => {
    expect(encodeHeaderValue('日本')).toBe(`=?base64?${Buffer.from('日本').toString('base64')}?=`)
  })

  it.each([
    '日本語',
    '👩‍🚀',
    ' padded ',
    'tab\there',
    'line\r\nX-Injected: 1',
    '\u007f',
    '=?base64?abc?=',
    '\ufeffbom',
  ])('comes back as it was: %j', (text) => {
    const value = encodeHeaderValue(text)
    expect(value).toMatch(/^=\?base64\?[A-Za-z0-9+/=]+\?=$/)
    expect(decodeHeaderValue(value)).toBe(text)
  })

  it.each(['=?base64?***?=', '=?base64?/w==?=', '=?base64?abcde?=', '=?base64?SGVsbG8?=', '=?base64?SGVs bG8=?='])(
    'is undefined for %j, which only claims to be base64',
    (value) => {
      expect(decodeHeaderValue(value)).toBeUndefined()
    },
  )
})
