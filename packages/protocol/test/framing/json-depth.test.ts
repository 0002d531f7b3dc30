import {
  JsonTooDeepError,
  JsonTooManyPartsError,
  MAX_JSON_DEPTH,
  MAX_JSON_PARTS,
  parseJson,
  parsePlainJson,
} from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'
import { exceedsDepth, exceedsParts } from '../../src/framing/json-depth.ts'

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

  it('is known in a time that grows with the text, whatever stands in its strings', () => {
    const quotes = JSON.stringify({ text: '\\"'.repeat(200_000), more: '\\'.repeat(400_000) })
    expect(exceedsDepth(quotes, 1)).toBe(false)
  })

  it.each([parseJson, parsePlainJson])('is bounded for whoever parses, at %o', (parse) => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(parse(nested(MAX_JSON_DEPTH))).toHaveLength(1)
    expect(() => parse(nested(MAX_JSON_DEPTH + 1))).toThrow(JsonTooDeepError)
    expect(() => parse(nested(4), 3)).toThrow('it is nested deeper than 3 levels')
  })
})

describe('the parts of a message', () => {
  it('are its objects, lists and members; other values count little', () => {
    expect(exceedsParts('[{"a":1,"b":[2]}]', 5)).toBe(false)
    expect(exceedsParts('[{"a":1,"b":[2]}]', 4)).toBe(true)
    expect(exceedsParts(`[${'1,'.repeat(60)}1]`, 5)).toBe(false)
    expect(exceedsParts(`[${'1,'.repeat(90)}1]`, 5)).toBe(true)
  })

  it('are not counted in texts', () => {
    expect(exceedsParts(JSON.stringify(['{[:,"\\'.repeat(1_000)]), 2)).toBe(false)
    expect(exceedsParts(`"${'{[:'.repeat(100)}`, 2)).toBe(false)
  })

  it.each([parseJson, parsePlainJson])('are bounded for whoever parses, at %o', (parse) => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
    expect(parse(members(MAX_JSON_PARTS / 2))).toHaveProperty('k7', 1)
    expect(() => parse(members(MAX_JSON_PARTS + 1))).toThrow(JsonTooManyPartsError)
    expect(() => parse(`[${'{},'.repeat(MAX_JSON_PARTS)}1]`)).toThrow(JsonTooManyPartsError)
    expect(parse(JSON.stringify('{:'.repeat(MAX_JSON_PARTS)))).toHaveLength(2 * MAX_JSON_PARTS)
  })
})
