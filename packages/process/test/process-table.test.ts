import { describe, expect, it } from 'vitest'
import { type ProcessEntry, selectDescendants } from '../src/process-table.ts'

const entry = (pid: number, parent: number): ProcessEntry => ({ pid, parent, group: 1, started: '' })

describe('selectDescendants', () => {
  it('finds children and grandchildren, nearest first, and nobody else', () => {
    const entries = [entry(2, 1), entry(30, 20), entry(20, 10), entry(21, 10), entry(40, 30), entry(10, 1)]
    expect(selectDescendants(entries, 10).map(({ pid }) => pid)).toEqual([20, 21, 30, 40])
    expect(selectDescendants(entries, 99)).toEqual([])
  })
})
