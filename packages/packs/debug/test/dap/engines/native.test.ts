import { describe, expect, test } from 'vitest'
import { GDB_TRAITS, readGdbVersion, speaksDap } from '../../../src/dap/engines/gdb.ts'
import { toPanicMessage } from '../../../src/dap/engines/go.ts'
import { readAbort, readPanic, throwUnlessCompiled, tidyNativeName } from '../../../src/dap/engines/native.ts'

describe('gdb', () => {
  test.each([
    ['GNU gdb (Debian 13.1-3) 13.1\nCopyright', '13.1', false],
    ['GNU gdb (Ubuntu 15.0.50.20240403-0ubuntu1) 15.0.50.20240403-git\n', undefined, false],
    ['GNU gdb (GDB) 14.2\n', '14.2', true],
    ['GNU gdb (GDB) Fedora Linux 16.3\n', '16.3', true],
    ['', undefined, false],
  ])('%j has the version %s; does it speak our protocol? %s', (text, version, speaks) => {
    expect(readGdbVersion(text)).toBe(version)
    expect(version !== undefined && speaksDap(version)).toBe(speaks)
  })

  test('has its log messages printed by us', () => {
    expect(GDB_TRAITS.logpoints).toBe('emulated')
  })
})

test.each([
  ['::run()', 'run()'],
  ['app::run::hfc912cef0886c681', 'app::run'],
  ['std::vector<int>::push_back', 'std::vector<int>::push_back'],
])('the function %s is called %s', (name, tidy) => {
  expect(tidyNativeName(name)).toBe(tidy)
})

test.each([
  ["x\nthread 'main' panicked at src/a.rs:3:5:\nno such thing\nnote: run with", 'no such thing'],
  ["thread 'main' panicked at 'no such thing', src/a.rs:3:5\nnote: run", 'no such thing'],
  [
    "thread 'main' (7) panicked at a.rs:1:9:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with",
    'assertion `left == right` failed\n  left: 1\n right: 2',
  ],
  [
    "thread 'main' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n right: `2`: sizes', a.rs:3:5\nnote: run with",
    'assertion failed: `(left == right)`\n  left: `1`,\n right: `2`: sizes',
  ],
  ['nothing of that kind', ''],
])('the panic in %j is "%s"', (output, message) => {
  expect(readPanic(output)).toBe(message)
})

test.each([
  ['interface {}(string) "no such thing"', 'no such thing'],
  ['interface {}(int) 7', '7'],
  ['interface {}(*errors.errorString) *{s: "gone"}', '*{s: "gone"}'],
  ['nil', 'nil'],
])('the value %j of a panic in Go is told as "%s"', (value, message) => {
  expect(toPanicMessage(value)).toBe(message)
})

test.each([
  ['/home/you/app.cpp', 'c++ -g -O0 -o app app.cpp'],
  ['/home/you/app.c', 'cc -g -O0 -o app app.c'],
  ['/home/you/app.rs', 'rustc -g -o app app.rs (or: cargo build)'],
])('%s is not started, and the way to compile it is said', (program, compile) => {
  expect(() => throwUnlessCompiled(program)).toThrow(
    expect.objectContaining({ code: 'E_INVALID_PROGRAM', message: expect.stringContaining(compile) }),
  )
})

test('a program that is not there, or is a text, is told apart from one that runs', () => {
  expect(() => throwUnlessCompiled('/home/you/none')).toThrow(expect.objectContaining({ code: 'E_FILE_NOT_FOUND' }))
  expect(() => throwUnlessCompiled(import.meta.filename.replace(/\.ts$/, '.ts'))).toThrow(
    expect.objectContaining({ code: 'E_INVALID_PROGRAM', message: expect.stringContaining('not a compiled program') }),
  )
  expect(() => throwUnlessCompiled(process.execPath)).not.toThrow()
})

test.each([
  ["3\napp: a.cpp:9: int main(): Assertion `x == 1' failed.\n", { message: "Assertion `x == 1' failed." }],
  ['Assertion failed: (x == 1), function main, file a.c, line 9.\n', { message: expect.stringContaining('(x == 1)') }],
  [
    "terminate called after throwing an instance of 'std::out_of_range'\n  what():  no such\nthing\n",
    { type: 'std::out_of_range', message: 'no such\nthing' },
  ],
  ["terminate called after throwing an instance of 'int'\n", { type: 'int', message: '' }],
  [
    'libc++abi: terminating due to uncaught exception of type std::runtime_error: bad: thing\n',
    { type: 'std::runtime_error', message: 'bad: thing' },
  ],
  ['*** stack smashing detected ***: terminated\n', { message: '*** stack smashing detected ***: terminated' }],
  ['free(): invalid pointer\n', { message: 'free(): invalid pointer' }],
  ['all is well\n', undefined],
])('what %j says before it aborts', (output, said) => {
  expect(readAbort(output)).toEqual(said)
})
