import { expect, it } from 'vitest'
import { parseWindowsTable } from '../src/windows-table.ts'

it('reads what PowerShell prints, with the time of the start', () => {
  expect(parseWindowsTable('0 4 1763424000000\r\n4 712 1763424000500\r\n')).toEqual([
    { pid: 4, parent: 0, group: 0, session: 0, started: '1763424000000' },
    { pid: 712, parent: 4, group: 0, session: 0, started: '1763424000500' },
  ])
})

it('reads what wmic prints, two bytes a letter, below its heading', () => {
  const text = `\ufeff${[...'ParentProcessId  ProcessId  \r\n0                32         \r\n32               652        \r\n\r\n'].join('\0')}`
  expect(parseWindowsTable(text)).toMatchObject([
    { pid: 32, parent: 0, started: '' },
    { pid: 652, parent: 32, started: '' },
  ])
})

it('takes nobody for the child of one who has only got the number of its parent', () => {
  // The desktop was started by 900, which is gone; a server of ours is 900 now.
  const table = parseWindowsTable('900 1000 1763424000000\n1 900 1763424009000\n900 1001 1763424009500\n')
  expect(table.map(({ pid, parent }) => [pid, parent])).toEqual([
    [1000, 0],
    [900, 1],
    [1001, 900],
  ])
})

it('finds nobody in an error', () => {
  expect(parseWindowsTable('Error: Invalid query\r\n')).toEqual([])
})
