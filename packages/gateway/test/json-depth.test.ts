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

  it('looks closer where there are more brackets than levels, of one kind or of both', () => {
    const flat = `[${'{},'.repeat(200)}${'[],'.repeat(200)}0]`
    expect(exceedsDepth(flat, 128)).toBe(false)
    expect(exceedsDepth(`[${flat},${'['.repeat(128)}${']'.repeat(128)}]`, 128)).toBe(true)
    expect(exceedsDepth('{"a":{"b":[[1]]}}', 4)).toBe(false)
    expect(exceedsDepth('{"a":{"b":[[1]]}}', 3)).toBe(true)
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
