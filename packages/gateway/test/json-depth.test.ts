import { describe, expect, it } from 'vitest'
import { exceedsDepth } from '../src/json-depth.ts'

describe('the depth of a message', () => {
  it('counts lists and objects alike', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`
    expect(exceedsDepth(nested(128), 128)).toBe(false)
    expect(exceedsDepth(nested(130), 128)).toBe(true)
  })

  it('counts what is open at once, not what there is in all', () => {
    expect(exceedsDepth(`[${'[],'.repeat(1_000)}[]]`, 2)).toBe(false)
  })

  it('passes over brackets in strings, also after escaped quotes', () => {
    expect(exceedsDepth(JSON.stringify({ text: '[{"\\'.repeat(500) }), 1)).toBe(false)
    expect(exceedsDepth('["\\\\",[[[1]]]]', 3)).toBe(true)
  })

  it('answers for text that is no JSON', () => {
    expect(exceedsDepth('"never closed [[[[[[[[', 4)).toBe(false)
    expect(exceedsDepth(']]]]]]]]]]', 4)).toBe(false)
    expect(exceedsDepth('[[[[[[[[[[', 4)).toBe(true)
  })
})
