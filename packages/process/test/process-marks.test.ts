import { describe, expect, it } from 'vitest'
import { readMarks } from '../src/process-marks.ts'

describe('the marks of a process', () => {
  it('are read from an environment of Linux, wherever they stand in it', () => {
    const both = { family: 'aa.bb', owner: '7:1000' }
    expect(readMarks('SWITCHBOARD_FAMILY=aa.bb\0PATH=/bin\0SWITCHBOARD_OWNER=7:1000\0', '\0')).toEqual(both)
    expect(readMarks('PATH=/bin\0SWITCHBOARD_OWNER=7:1000\0SWITCHBOARD_FAMILY=aa.bb', '\0')).toEqual(both)
  })

  it('are read from a line of ps, behind pid and command', () => {
    const line = '  712 sleep 300 PATH=/bin SWITCHBOARD_FAMILY=aa SWITCHBOARD_OWNER=7:1000 '
    expect(readMarks(line, ' ')).toEqual({ family: 'aa', owner: '7:1000' })
  })

  it('are those of the whole name only, and nothing where there are none', () => {
    expect(readMarks('MY_SWITCHBOARD_FAMILY=aa\0TEXT=SWITCHBOARD_OWNER=1:2\0', '\0')).toBeUndefined()
    expect(readMarks('', '\0')).toBeUndefined()
  })
})
