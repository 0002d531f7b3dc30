/** How cmd.exe is to be spoken to. That it understands it so, and that nothing in an argument acts, is tested in Windows itself. */
import { writeFile } from 'node:fs/promises'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quoteForBatch, readNodeShim } from '../src/batch-command.ts'

const lineOf = (...args: string[]): string | undefined => quoteForBatch('C:\\a b\\x.cmd', args)?.at(-1)

describe('the command line of a batch file', () => {
  it('has everything in quotes, inside of which cmd.exe acts upon nothing but % and quotes', () => {
    expect(quoteForBatch('C:\\a b\\x.cmd', ['one two', 'a&b'])).toEqual([
      '/d',
      '/e:ON',
      '/v:OFF',
      '/s',
      '/c',
      '""C:\\a b\\x.cmd" "one two" "a&b""',
    ])
    expect(lineOf('')).toBe('""C:\\a b\\x.cmd" """')
  })

  it('doubles quotes, so that none ends an argument, and what stands before them', () => {
    expect(lineOf('x" & echo hit & "')).toBe('""C:\\a b\\x.cmd" "x"" & echo hit & """"')
    expect(lineOf('a\\"b', 'c\\')).toBe('""C:\\a b\\x.cmd" "a\\\\""b" "c\\\\""')
  })

  it('leaves cmd.exe no name of a variable to look for', () => {
    expect(lineOf('%PATH%')).toBe('""C:\\a b\\x.cmd" "%%cd:~,%PATH%%cd:~,%""')
  })

  it('is refused where an argument would end it', () => {
    for (const text of ['a\nb', 'a\rb', 'a\0b']) expect(quoteForBatch('x.cmd', [text])).toBeUndefined()
  })
})

describe('a file that npm wrote to start a script', () => {
  let folder: TemporaryDirectory
  beforeEach(async () => {
    folder = await createTemporaryDirectory()
  })
  afterEach(() => folder.remove())

  /** As cmd-shim of npm writes it. */
  const SHIM = `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\..\\a package\\bin\\x.js" %*\r\n`

  const read = async (text: string) => {
    await writeFile(folder.file('x.cmd'), text)
    return readNodeShim(folder.file('x.cmd'))
  }

  it('is read: the script, and the Node beside it or on the PATH', async () => {
    const shim = await read(SHIM)
    expect(shim?.program).toBeUndefined()
    // As Windows writes it.
    expect(shim?.script.endsWith('\\a package\\bin\\x.js')).toBe(true)
    expect(shim?.script).not.toContain('..')
  })

  it('is not taken for one when it does anything else', async () => {
    expect(await read(SHIM.replace('SETLOCAL\r\n', 'SETLOCAL\r\n@SET NODE_PATH=C:\\x\r\n'))).toBeUndefined()
    expect(await read(SHIM.replace('"%_prog%"  ', '"%_prog%" --inspect '))).toBeUndefined()
    expect(await read(`${SHIM}del x\r\n`)).toBeUndefined()
    expect(await read('@echo off\r\nnode x.js %*\r\n')).toBeUndefined()
    expect(readNodeShim(folder.file('nowhere.cmd'))).toBeUndefined()
  })
})
