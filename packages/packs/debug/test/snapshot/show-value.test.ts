import { describe, expect, test } from 'vitest'
import { NO_MASKING, SecretMasking } from '../../src/snapshot/masking.ts'
import { formatCut, showText, showValue } from '../../src/snapshot/show-value.ts'
import { WorkspacePaths } from '../../src/workspace/workspace-paths.ts'

const masking = new SecretMasking()
const show = (name: string, value: string, maxLength = 60): string =>
  formatCut(showValue(name, value, { maxLength, masking }))

describe('a value', () => {
  test('is shown on one line, without what steers a terminal', () => {
    expect(show('text', "'one\ntwo\u001b[31m!'")).toBe("'one\\ntwo!'")
  })

  test('that is long is cut, with how much is left out', () => {
    expect(show('text', 'x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}…(+90)`)
  })

  test('that was cut before is told with all that is left out', () => {
    expect(show('text', `"${'x'.repeat(100)}"…(+5000)`, 11)).toBe(`"${'x'.repeat(10)}…(+5091)`)
  })

  test('is not cut within a character', () => {
    expect(show('text', `${'x'.repeat(9)}😀y`, 10)).toBe(`${'x'.repeat(9)}…(+3)`)
  })

  test('is shown as it is when a person has said so', () => {
    expect(showValue('password', 'hunter2', { maxLength: 60, masking: NO_MASKING })).toEqual({
      text: 'hunter2',
      cut: 0,
      isMasked: false,
    })
  })
})

test('what Python prints of its debugger is left out of a traceback', () => {
  const text = `Traceback (most recent call last):
  File "/home/you/.switchboard/cache/debugpy/_vendored/pydevd/runpy.py", line 1, in run
    exec(code)
    ^^^^
  File "/project/app.py", line 3, in <module>
    fail()
ValueError: no
`
  expect(showText(text, { paths: new WorkspacePaths('/project'), masking })).toBe(
    `Traceback (most recent call last):
  File "app.py", line 3, in <module>
    fail()
ValueError: no
`,
  )
})
