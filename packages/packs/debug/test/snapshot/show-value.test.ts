import { describe, expect, test } from 'vitest'
import { formatCut, isSecretName, KnownSecrets, showText, showValue } from '../../src/snapshot/show-value.ts'
import { WorkspacePaths } from '../../src/workspace/workspace-paths.ts'

const show = (name: string, value: string, maxLength = 60): string =>
  formatCut(showValue(name, value, { maxLength, showSecrets: false }))

describe('a value', () => {
  test('is shown on one line, without what steers a terminal', () => {
    expect(show('text', "'one\ntwo\u001b[31m!'")).toBe("'one\\ntwo!'")
  })

  test('that is long is cut, with how much is left out', () => {
    expect(show('text', 'x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}…(+90)`)
  })

  test('is not cut within a character', () => {
    expect(show('text', `${'x'.repeat(9)}😀y`, 10)).toBe(`${'x'.repeat(9)}…(+3)`)
  })

  test.each([
    ['password', "'hunter2'"],
    ['user.password', "'hunter2'"],
    ['env["API_KEY"]', "'abc'"],
    ['authorization', "'Basic abc'"],
    ['accessToken', '"abc"'],
  ])('under the name %s is masked', (name, value) => {
    expect(show(name, value)).toBe('[masked]')
    expect(isSecretName(name)).toBe(true)
  })

  test('that has the form of a secret is masked under any name', () => {
    expect(show('x', '"ghp_0123456789abcdefghijABCDEFGHIJ012345"')).not.toContain('0123456789')
    expect(show('config', "{'password': 'hunter2', 'level': 3}")).toBe("{'password': '[masked]', 'level': 3}")
  })

  test.each([
    ['password', 'None'],
    ['token', 'null'],
    ['hasPassword', 'true'],
    ['tokens', '42'],
    ['sum', '17'],
    ['items', '[1, 2, 3]'],
  ])('%s = %s is no secret', (name, value) => {
    expect(show(name, value)).toBe(value)
  })

  test('is shown as it is when a person has said so', () => {
    expect(showValue('password', 'hunter2', { maxLength: 60, showSecrets: true })).toEqual({
      text: 'hunter2',
      cut: 0,
      isMasked: false,
    })
  })

  test('under a short name inside another is masked, in a text that holds it as well', () => {
    expect(show('config', '{AUTH: "abc", author: "Ann"}')).toBe('{AUTH: "[masked]", author: "Ann"}')
    expect(show('text', '"{\\"auth\\":\\"abc\\"}"')).not.toContain('abc')
  })

  test('that stood under the name of a secret is known under another', () => {
    const secrets = new KnownSecrets()
    secrets.learn([
      { name: 'password', value: '"long enough"' },
      { name: 'token', value: 'None' },
      { name: 'user', value: '"somebody"' },
    ])
    expect(secrets.has('"long enough"')).toBe(true)
    expect(secrets.has('None')).toBe(false)
    expect(secrets.has('"somebody"')).toBe(false)
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
  expect(showText(text, { paths: new WorkspacePaths('/project'), showSecrets: false })).toBe(
    `Traceback (most recent call last):
  File "app.py", line 3, in <module>
    fail()
ValueError: no
`,
  )
})
