import { readTraceparent } from '@switchboard/protocol/tracing'
import { describe, expect, it } from 'vitest'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, true],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, false],
    ['with flags that nobody knows yet', `00-${TRACE}-${SPAN}-ff`, true],
    ['of a later version, with more behind it', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
  ])('is read: %s', (_what, text, isSampled) => {
    expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled })
  })

  it.each([
    ['no text', 42],
    ['empty', ''],
    ['of the version that means none', `ff-${TRACE}-${SPAN}-01`],
    ['of this version with more behind it', `00-${TRACE}-${SPAN}-01-more`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['blanks around it', ` 00-${TRACE}-${SPAN}-01`],
    ['a line behind it', `00-${TRACE}-${SPAN}-01\nx: y`],
  ])('is not taken for one: %s', (_what, text) => {
    expect(readTraceparent(text)).toBeUndefined()
  })
})
