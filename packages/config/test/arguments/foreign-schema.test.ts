import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { ChecksApart } from '../../src/arguments/check-apart.ts'
import { FOREIGN_OPTIONS } from '../../src/arguments/compile-schema.ts'
import { ForeignSchema } from '../../src/arguments/foreign-schema.ts'

const turn = () => ({ lane: 'a' })
/** What is to run into its deadline does so soon. */
const impatient = new ChecksApart(FOREIGN_OPTIONS, { schema: 5_000, args: 500 })

async function judge(schema: JsonObject, args: unknown, apart?: ChecksApart): Promise<unknown> {
  return (await ForeignSchema.compile(schema, apart)).judge('t', args, turn)
}

const EXPONENTIAL = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }

describe('ForeignSchema', () => {
  it('judges at once what is cheap, and apart what may take long, in the same words', async () => {
    const cheap = await ForeignSchema.compile({ properties: { a: { type: 'string', pattern: '^a+$' } } })
    const costly = await ForeignSchema.compile(EXPONENTIAL)
    expect(cheap.judge('t', { a: 'aa' }, turn)).toEqual([])
    const apart = costly.judge('t', { a: 'aa' }, turn)
    expect(apart).toBeInstanceOf(Promise)
    expect(await apart).toEqual([])
    expect(cheap.judge('t', { a: 'b' }, turn)).toEqual([
      { field: 'a', problem: 'must be a string, matching ^a+$, not "b"', expected: 'a string, matching ^a+$' },
    ])
    expect(await costly.judge('t', { a: 'b' }, turn)).toEqual([
      { field: 'a', problem: 'must be a string, matching ^(a+)+$, not "b"', expected: 'a string, matching ^(a+)+$' },
    ])
  })

  it('ends a pattern that takes exponential time, blames neither side alone, and goes on', async () => {
    const schema = await ForeignSchema.compile(EXPONENTIAL, impatient)
    let turns = 0
    const timer = setInterval(() => turns++, 10)
    const slow = schema.judge('t', { a: `${'a'.repeat(60)}!` }, turn)
    await expect(slow).rejects.toMatchObject({
      code: 'check_timeout',
      executed: false,
      retryable: false,
      message: expect.stringContaining('the pattern "^(a+)+$"'),
    })
    clearInterval(timer)
    // The event loop went on meanwhile.
    expect(turns).toBeGreaterThan(10)
    expect(schema.unusable).toBeUndefined()
    expect(await schema.judge('t', { a: 'aaa' }, turn)).toEqual([])
  })

  it('ends the comparing of thousands of objects', async () => {
    const items = Array.from({ length: 40_000 }, (_, id) => ({ id: { id } }))
    await expect(judge({ properties: { a: { uniqueItems: true } } }, { a: items }, impatient)).rejects.toMatchObject({
      code: 'check_timeout',
      message: expect.stringContaining('uniqueItems'),
    })
  })

  it('finds what is wrong in many arguments, and in a schema with references to itself', async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id }))
    const table = { properties: { rows: { items: { properties: { id: { type: 'integer' } } } } } }
    expect(await judge(table, { rows })).toEqual([])
    expect(await judge(table, { rows: [...rows, { id: 'x' }] })).toMatchObject([{ field: 'rows[50000].id' }])
    const tree = { properties: { children: { items: { $ref: '#' } }, n: { type: 'integer' } } }
    expect(await judge(tree, { children: [{ children: [{ n: 'x' }] }] })).toMatchObject([
      { field: 'children[0].children[0].n' },
    ])
  })

  it('gives up a schema that takes forever whatever the arguments are, as it does a broken one', async () => {
    const $defs: Record<string, JsonObject> = { s0: {} }
    for (let step = 1; step < 40; step++) {
      const next = { $ref: `#/$defs/s${step - 1}` }
      $defs[`s${step}`] = { allOf: [next, next] }
    }
    await expect(judge({ $ref: '#/$defs/s39', $defs }, {}, impatient)).rejects.toMatchObject({ code: 'check_timeout' })
    const broken = await ForeignSchema.compile({ properties: { a: { $ref: '#/$defs/missing' } } })
    expect(await broken.judge('t', { a: 1 }, turn)).toEqual([])
    expect(broken.unusable).toMatch(/missing/)
  })

  it('lets one caller wait for one check of another, not for all of them', async () => {
    const schema = await ForeignSchema.compile(EXPONENTIAL, impatient)
    const order: string[] = []
    const slow = Array.from({ length: 6 }, async () => {
      await expect(schema.judge('t', { a: `${'a'.repeat(60)}!` }, turn)).rejects.toMatchObject({
        code: 'check_timeout',
      })
      order.push('slow')
    })
    const other = Promise.resolve(schema.judge('t', { a: 'a' }, () => ({ lane: 'b' }))).then(() => order.push('other'))
    await Promise.all([...slow, other])
    // Two are under way when it comes, and two more may be before its thread has started.
    expect(order.indexOf('other')).toBeLessThan(5)
  })

  it('waits no longer for its turn than it may', async () => {
    const schema = await ForeignSchema.compile(EXPONENTIAL, impatient)
    const slow = [1, 2].map(() => Promise.resolve(schema.judge('t', { a: `${'a'.repeat(60)}!` }, turn)))
    const controller = new AbortController()
    const late = Promise.resolve(schema.judge('t', { a: 'a' }, () => ({ lane: 'b', timeout: 1 })))
    const cancelled = Promise.resolve(schema.judge('t', { a: 'a' }, () => ({ lane: 'b', signal: controller.signal })))
    controller.abort()
    await Promise.all([
      expect(late).rejects.toMatchObject({ code: 'queue_timeout' }),
      expect(cancelled).rejects.toMatchObject({ code: 'cancelled' }),
      ...slow.map((one) => expect(one).rejects.toMatchObject({ code: 'check_timeout' })),
    ])
  })
})
