import { expect, test } from 'vitest'
import { parsePsOutput } from '../src/process-table.ts'

test('the table of ps is read with its spaces inside commands', () => {
  const text =
    '    1     0     1 Ss   /sbin/launchd\n  421     1   421 S+   /bin/a program --with "two words"\n 9 1 9 Z    \n'
  expect(parsePsOutput(text)).toEqual([
    { pid: 1, ppid: 0, pgid: 1, state: 'Ss', command: '/sbin/launchd' },
    { pid: 421, ppid: 1, pgid: 421, state: 'S+', command: '/bin/a program --with "two words"' },
    { pid: 9, ppid: 1, pgid: 9, state: 'Z', command: '' },
  ])
})

test('what is not a row of the table is passed over', () => {
  expect(parsePsOutput('PID PPID COMMAND\n\n')).toEqual([])
})
