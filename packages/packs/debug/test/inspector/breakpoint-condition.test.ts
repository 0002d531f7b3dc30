import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { LOG_BINDING, splitLogMessage, writeCondition } from '../../src/inspector/breakpoint-condition.ts'

/** Evaluates it as the runtime does, so many times, with `i` counting from 0. */
function hitsOf(condition: string | undefined, times: number, told: string[] = []): number[] {
  const globals: Record<string, unknown> = { [LOG_BINDING]: (text: string) => told.push(text) }
  const stops: number[] = []
  for (let i = 0; i < times; i++) {
    globals.i = i
    if (condition === undefined || runInNewContext(condition, globals)) stops.push(i)
  }
  return stops
}

const at = { id: 'b', line: 1 }

describe('the condition of a breakpoint', () => {
  test('is none when nothing is asked', () => {
    expect(writeCondition(at)).toBeUndefined()
    expect(writeCondition({ ...at, condition: ' ', hitCondition: '' })).toBeUndefined()
  })

  test.each([
    ['3', [2]],
    ['>= 8', [7, 8, 9]],
    ['% 4', [3, 7]],
    ['< 3', [0, 1]],
  ])('counts hits for "%s"', (hitCondition, stops) => {
    expect(hitsOf(writeCondition({ ...at, hitCondition }), 10)).toEqual(stops)
  })

  test('counts only hits for which the expression holds, also one that ends in a comment', () => {
    expect(hitsOf(writeCondition({ ...at, condition: 'i % 2 // odd', hitCondition: '2' }), 10)).toEqual([3])
  })

  test('tells a message and never stops', () => {
    const told: string[] = []
    const condition = writeCondition({ ...at, logMessage: 'i={i} {({ a: [i, "x"] })} {nope}' })
    expect(hitsOf(condition, 2, told)).toEqual([])
    expect(told.map((text) => JSON.parse(text))).toEqual([
      ['b', 'i=0 {a: [0, "x"]} <ReferenceError: nope is not defined>'],
      ['b', 'i=1 {a: [1, "x"]} <ReferenceError: nope is not defined>'],
    ])
  })

  test('refuses a hit condition that is none', () => {
    expect(() => writeCondition({ ...at, hitCondition: 'sometimes' })).toThrow(/sometimes/)
  })
})

test('a log message is split into text and expressions', () => {
  expect(splitLogMessage('a {x.y} b {({ c: 1 })}{{no} {open')).toEqual([
    { text: 'a ' },
    { expression: 'x.y' },
    { text: ' b ' },
    { expression: '({ c: 1 })' },
    { text: '{no} {open' },
  ])
})
