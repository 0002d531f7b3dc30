/** What a stopped program shows, and what can be changed in it. */
import { expect, test } from 'vitest'
import type { Workbench } from './workbench.ts'

export function declareValues({ fixture, startAt, condition }: Workbench): void {
  test('shows all locals, also those of blocks, and what is inside a nested one', async () => {
    const { recorder, session } = await startAt('run', 'loop', { condition })
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const locals = await recorder.locals(frame.id)
    const byName = new Map(locals.map((variable) => [variable.name, variable]))
    expect([...byName.keys()]).toEqual(expect.arrayContaining(['config', 'big', 'total', 'i']))
    expect(byName.get('i')?.value).toBe('5')
    expect(byName.get('total')?.value).toBe('10')
    const [limits, high] = fixture.nested ?? ['limits', 'high']
    const config = await session.variables(byName.get('config')?.reference ?? 0, { start: 0, count: 20 })
    const inner = config.find(({ name }) => name === limits)
    const values = await session.variables(inner?.reference ?? 0, { start: 0, count: 20 })
    expect(values.find(({ name }) => name === high)?.value).toBe('10')
  })

  test('pages through a list of 5000', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const big = (await recorder.locals(frame.id)).find(({ name }) => name === 'big')
    const reference = big?.reference ?? 0
    const read = async (start: number, count: number): Promise<[name: string, value: string][]> =>
      (await session.variables(reference, { start, count, filter: 'indexed' })).map(({ name, value }) => [name, value])
    expect(await read(4000, 3)).toEqual([4000, 4001, 4002].map((index) => [String(index), String(index)]))
    expect(await read(0, 2)).toEqual([0, 1].map((index) => [String(index), String(index)]))
    expect(await read(4999, 10)).toEqual([['4999', '4999']])
    expect(await read(6000, 10)).toEqual([])
    expect(await session.variables(reference, { start: 100, count: 7 })).toHaveLength(7)
  })

  test('evaluates in a frame, also of a caller, and says what is wrong with an expression', async () => {
    const { recorder, session } = await startAt('run', 'add')
    const stop = await recorder.nextStop()
    const { frames } = await session.stack(stop.threadId, { start: 0, count: 2 })
    const [inner, outer] = frames
    const sum = fixture.expressions?.sum ?? 'total + value + 40'
    expect((await session.evaluate(sum, { frameId: inner?.id ?? -1, context: 'watch' })).value).toBe('40')
    expect((await session.evaluate('i', { frameId: outer?.id ?? -1, context: 'watch' })).value).toBe('0')
    await expect(session.evaluate('nonesuch', { frameId: inner?.id ?? -1, context: 'watch' })).rejects.toMatchObject({
      code: 'E_EVALUATE_FAILED',
      message: expect.stringMatching(/nonesuch/),
    })
  })

  test('sets a variable, and the program goes on with it', async () => {
    const { recorder, session } = await startAt('run', 'after')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const scopes = await session.scopes(frame.id)
    const near = scopes.filter(({ kind }) => kind === 'local' || kind === 'block')
    for (const scope of near) {
      const variables = await session.variables(scope.reference, { start: 0, count: 50 })
      if (!variables.some(({ name }) => name === 'total')) continue
      const changed = await session.setVariable(scope.reference, 'total', '1234')
      expect(changed).toMatchObject({ name: 'total', value: '1234' })
      const again = await session.variables(scope.reference, { start: 0, count: 50 })
      expect(again.find(({ name }) => name === 'total')?.value).toBe('1234')
    }
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 1234')
  })

  test('sets an element of a list', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const big = (await recorder.locals(frame.id)).find(({ name }) => name === 'big')
    const read = async () =>
      (await session.variables(big?.reference ?? 0, { start: 4001, count: 1, filter: 'indexed' }))[0]?.value
    expect(await read()).toBe('4001')
    expect((await session.setVariable(big?.reference ?? 0, '4001', '7')).value).toBe('7')
    expect(await read()).toBe('7')
  })

  test('refuses frames and references of an earlier stop', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const [scope] = await session.scopes(frame.id)
    await session.continue(stop.threadId)
    const second = await recorder.nextStop()
    await expect(session.variables(scope?.reference ?? 0, { start: 0, count: 5 })).rejects.toMatchObject({
      code: 'E_STALE_REFERENCE',
    })
    await expect(session.scopes(987_654)).rejects.toMatchObject({ code: 'E_STALE_REFERENCE' })
    expect(second.threadId).toBe(stop.threadId)
  })
}
