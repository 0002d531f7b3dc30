import { createInputRetryParams, isInputRequired } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const inputRequests = { name: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } } }

describe('isInputRequired', () => {
  it.each([
    { resultType: 'input_required', inputRequests },
    { resultType: 'input_required', inputRequests, requestState: 'opaque' },
    { resultType: 'input_required', requestState: '' },
    { resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } },
  ])('recognises %j', (result) => {
    expect(isInputRequired(result)).toBe(true)
  })

  it.each([
    { resultType: 'complete', inputRequests },
    { inputRequests },
    { resultType: 'input_required' },
    { resultType: 'input_required', inputRequests: [] },
    { resultType: 'input_required', inputRequests: { name: { params: {} } } },
    { resultType: 'input_required', inputRequests: { name: { method: 'roots/list', params: 'x' } } },
    { resultType: 'input_required', inputRequests, requestState: { not: 'opaque text' } },
  ])('refuses %j', (result) => {
    expect(isInputRequired(result)).toBe(false)
  })

  it.each(MALFORMED)('never throws: %j', (value) => {
    expect(isInputRequired(value)).toBe(false)
  })
})

describe('createInputRetryParams', () => {
  const params = Object.freeze({ name: 'book', arguments: { day: 1 }, _meta: { progressToken: 1 } })

  it('adds the answers and the state to the same parameters', () => {
    expect(createInputRetryParams(params, { name: { action: 'accept' } }, 's')).toEqual({
      ...params,
      inputResponses: { name: { action: 'accept' } },
      requestState: 's',
    })
  })

  it('keeps the arguments as the same object', () => {
    expect(createInputRetryParams(params, {}, undefined).arguments).toBe(params.arguments)
  })

  it('forgets the answers and the state of the round before', () => {
    const second = createInputRetryParams(
      { ...params, inputResponses: { old: {} }, requestState: 'old' },
      { now: {} },
      undefined,
    )
    expect(second).toEqual({ ...params, inputResponses: { now: {} } })
  })

  it('sends the state alone when nothing was asked', () => {
    expect(createInputRetryParams(undefined, undefined, 's')).toEqual({ requestState: 's' })
  })
})
