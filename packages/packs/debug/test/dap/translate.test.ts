import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GO_TRAITS } from '../../src/dap/engines/go.ts'
import { isUserCode, tidyName, toExceptionInfo, toFrame, toScope, toVariable } from '../../src/dap/translate.ts'

const workspace = resolve('/home/you/project')

describe('user code', () => {
  test.each([
    [join(workspace, 'src', 'app.py'), true],
    [join(workspace, '.venv', 'lib', 'site-packages', 'x.py'), false],
    [join(workspace, 'node_modules', 'x', 'index.js'), false],
    [resolve('/usr/lib/python3/json.py'), false],
    [`${workspace}-other/app.py`, false],
  ])('%s: %j', (path, expected) => {
    expect(isUserCode(path, workspace)).toBe(expected)
  })
})

describe('a frame', () => {
  test('has no place when its source is not a file here', () => {
    expect(toFrame({ id: 1, name: 'f', line: 3, source: { path: 'sysdeps/x.h' } }, workspace, GO_TRAITS)).toEqual({
      id: 1,
      name: 'f',
      isUser: false,
    })
    expect(toFrame({ id: 2, line: 0, source: { path: join(workspace, 'a') } }, workspace, GO_TRAITS)).toEqual({
      id: 2,
      name: '?',
      isUser: false,
    })
  })

  test('that the adapter calls subtle is not the user’s', () => {
    const row = { id: 1, name: 'f', line: 3, column: 0, source: { path: join(workspace, 'a.go') } }
    expect(toFrame(row, workspace, GO_TRAITS)).toMatchObject({ isUser: true, place: { line: 3 } })
    expect(toFrame({ ...row, presentationHint: 'subtle' }, workspace, GO_TRAITS).isUser).toBe(false)
  })
})

test.each([
  ['Locals', 'locals', 'local'],
  ['Local variables', undefined, 'local'],
  ['Arguments', 'arguments', 'arguments'],
  ['Globals', undefined, 'global'],
  ['Registers', 'registers', 'registers'],
  ['Closure', undefined, 'closure'],
  ['Whatever', undefined, 'other'],
])('the scope %s with the hint %s is of the kind %s', (name, presentationHint, kind) => {
  expect(toScope({ name, presentationHint, variablesReference: 4 })).toMatchObject({ kind, reference: 4 })
})

test.each([
  ['[4000]', '4000'],
  ['0042', '42'],
  ['0', '0'],
  ['[key]', '[key]'],
  ['a0', 'a0'],
])('the name %s is shown as %s', (name, tidy) => {
  expect(tidyName(name)).toBe(tidy)
})

test('a variable without anything is still one', () => {
  expect(toVariable({}, 'x')).toEqual({ name: 'x', value: '', reference: 0 })
})

test('an exception tells its full type, its text and whether anybody catches it', () => {
  const body = {
    exceptionId: 'ValueError',
    description: 'short',
    breakMode: 'unhandled',
    details: { typeName: 'pkg.ValueError', message: 'long', stackTrace: 'at x' },
  }
  expect(toExceptionInfo(body)).toEqual({ type: 'pkg.ValueError', message: 'long', isUncaught: true, stack: 'at x' })
  expect(toExceptionInfo({ exceptionId: 'panic', description: 'text', breakMode: '' })).toEqual({
    type: 'panic',
    message: 'text',
  })
  expect(toExceptionInfo({})).toBeUndefined()
})
