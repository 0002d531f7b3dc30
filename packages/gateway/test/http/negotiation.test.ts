import { describe, expect, it } from 'vitest'
import { isJsonContentType, readAccept } from '../../src/http/negotiation.ts'

describe('what a client accepts', () => {
  it.each([
    [undefined, true, true],
    ['*/*', true, true],
    ['application/json, text/event-stream', true, true],
    ['Application/JSON;q=0.9', true, false],
    ['text/event-stream', false, true],
    ['text/*', false, true],
    ['text/html', false, false],
  ])('is read from %s', (header, json, events) => {
    expect(readAccept(header)).toEqual({ json, events })
  })
})

describe('the content type of a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', ' Application/JSON ;x=y'])(
    'is JSON when it is %s',
    (type) => {
      expect(isJsonContentType(type)).toBe(true)
    },
  )

  it.each([undefined, '', 'text/plain', 'application/jsonx', 'text/plain; application/json'])(
    'is none when it is %s',
    (type) => {
      expect(isJsonContentType(type)).toBe(false)
    },
  )
})
