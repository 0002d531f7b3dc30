import { describe, expect, it } from 'vitest'
import { type ProcessEntry, parsePsTable, selectDescendants } from '../src/process-table.ts'

const entry = (pid: number, parent: number): ProcessEntry => ({ pid, parent, group: 1, session: 0, started: '' })

describe('selectDescendants', () => {
  it('finds children and grandchildren, nearest first, and nobody else', () => {
    const entries = [entry(2, 1), entry(30, 20), entry(20, 10), entry(21, 10), entry(40, 30), entry(10, 1)]
    expect(selectDescendants(entries, 10).map(({ pid }) => pid)).toEqual([20, 21, 30, 40])
    expect(selectDescendants(entries, 99)).toEqual([])
  })
})

describe('the table of ps', () => {
  it('is read with the time of the start, and without zombies', () => {
    const text = '    1     0     1 Ss   Sun Nov 15 19:55:44 2026\n  712     1   712 Z    Sun Nov 15 20:00:01 2026\n\n'
    expect(parsePsTable(text)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, started: 'Sun Nov 15 19:55:44 2026' },
    ])
  })
})
