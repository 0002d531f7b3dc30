import { describe, expect, it } from 'vitest'
import { DECLARED_RATES } from '../../src/packs/packs.ts'
import { createRates, PACK_RATE } from '../../src/tools/create-rates.ts'

describe('the rate of a tool', () => {
  it('is that of the first glob that fits its exposed name', () => {
    const few = { perSecond: 1, burst: 1 }
    const many = { perSecond: 100, burst: 200 }
    const rateOf = createRates({ web_fetch: few, 'web_*': many })
    expect([rateOf('web', 'web_fetch'), rateOf('web', 'web_search'), rateOf('git', 'git_log')]).toEqual([
      few,
      many,
      undefined,
    ])
  })

  it('is none for a server and ten a second for a pack, unless it is configured', () => {
    expect(createRates({})('files', 'files_read')).toBeUndefined()
    expect(createRates({})('pack:debug', 'debug_continue')).toEqual(PACK_RATE)
    expect(PACK_RATE).toEqual({ perSecond: 10, burst: 20 })
    const own = { perSecond: 50, burst: 50 }
    expect(createRates({ 'debug_*': own })('pack:debug', 'debug_continue')).toEqual(own)
    expect(createRates({ 'other_*': own })('pack:debug', 'debug_continue')).toEqual(PACK_RATE)
  })

  it('is what a tool of a pack declares, unless a person has configured another', () => {
    const declared = new Map([['troubleshoot', { perSecond: 2, burst: 5 }]])
    const own = { perSecond: 50, burst: 50 }
    expect(createRates({}, declared)('pack:memory', 'troubleshoot')).toEqual({ perSecond: 2, burst: 5 })
    expect(createRates({ 'trouble*': own }, declared)('pack:memory', 'troubleshoot')).toEqual(own)
    expect(createRates({}, declared)('files', 'troubleshoot')).toBeUndefined()
  })

  it('of the seed holds for what costs more than others', () => {
    expect(DECLARED_RATES.get('troubleshoot')).toEqual({ perSecond: 2, burst: 5 })
    expect(DECLARED_RATES.get('skill_create')).toEqual({ perSecond: 5, burst: 10 })
  })
})
