import { describe, expect, test } from 'vitest'
import { DapStackReader } from '../../src/dap/dap-stack-reader.ts'
import { PYTHON_TRAITS } from '../../src/dap/engines/python.ts'
import { RunState } from '../../src/dap/run-state.ts'
import type { JsonMembers } from '../../src/json-values.ts'

function createReader(depth: number) {
  const state = new RunState()
  const asked: object[] = []
  const frames = Array.from({ length: depth }, (_, index) => ({ id: index + 1, name: `f${index}`, line: 1 }))
  const answer = (start: number, levels: number): JsonMembers => ({
    stackFrames: frames.slice(start, start + levels),
    totalFrames: depth,
  })
  const reader = new DapStackReader({
    traits: PYTHON_TRAITS,
    workspace: '/project',
    state,
    ask: async (args) => {
      asked.push(args)
      const { startFrame, levels } = { startFrame: 0, levels: 0, ...args }
      return answer(startFrame, levels)
    },
  })
  return { reader, state, asked }
}

describe('frames that were read', () => {
  test('are not asked for again while the thread stands, nor is a part of them', async () => {
    const { reader, asked } = createReader(80)
    const first = await reader.read(1, { start: 0, count: 50 })
    expect(await reader.read(1, { start: 0, count: 50 })).toEqual(first)
    const part = await reader.read(1, { start: 10, count: 2 })
    expect(part.frames.map(({ name }) => name)).toEqual(['f10', 'f11'])
    expect(part.total).toBe(80)
    expect(asked).toHaveLength(1)
  })

  test('do not stand for those behind them', async () => {
    const { reader, asked } = createReader(80)
    await reader.read(1, { start: 0, count: 1 })
    expect((await reader.read(1, { start: 0, count: 50 })).frames).toHaveLength(50)
    expect((await reader.read(1, { start: 50, count: 50 })).frames).toHaveLength(30)
    expect(asked).toHaveLength(3)
  })

  test('are known to be all when there were fewer than asked for', async () => {
    const { reader, asked } = createReader(3)
    await reader.read(1, { start: 0, count: 50 })
    expect((await reader.read(1, { start: 0, count: 200 })).frames).toHaveLength(3)
    expect((await reader.read(1, { start: 3, count: 10 })).frames).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test('are forgotten for a thread that stops anew, and for all when the program goes on', async () => {
    const { reader, asked } = createReader(3)
    for (const thread of [1, 2]) await reader.read(thread, { start: 0, count: 50 })
    reader.forget(1)
    for (const thread of [1, 2]) await reader.read(thread, { start: 0, count: 50 })
    expect(asked).toHaveLength(3)
    reader.forget()
    for (const thread of [1, 2]) await reader.read(thread, { start: 0, count: 50 })
    expect(asked).toHaveLength(5)
  })

  test('after the program has gone on are of no use later', async () => {
    const { reader, state, asked } = createReader(3)
    const late = reader.read(1, { start: 0, count: 50 })
    state.goOn()
    await late
    await reader.read(1, { start: 0, count: 50 })
    expect(asked).toHaveLength(2)
  })
})
