/**
 * Starting a batch file of Windows (`npx.cmd`). Only cmd.exe can run one, and it reads the command line as a program: whatever is
 * not quoted in its own way acts, in every argument that came from somebody else. What it can be given safely is given so (as
 * Rust's library does); what it cannot is refused. A file that npm wrote only to start a script of Node is not run at all: its
 * script is.
 */
import { existsSync } from 'node:fs'
import { win32 } from 'node:path'
import { readForeignText } from '@switchboard/base'

/** Nobody writes longer ones only to start a program. */
const MOST_BYTES = 16 * 1024

/** The arguments of cmd.exe, each as it has to stand in the command line. Undefined: it cannot take them. */
export function quoteForBatch(path: string, args: readonly string[]): readonly string[] | undefined {
  // A line ends there, whatever stands around it.
  if ([path, ...args].some((text) => /[\r\n\0]/.test(text))) return undefined
  const line = [path, ...args].map(quote).join(' ')
  // Without AutoRun of the registry, without `!` as a sign; the outer quotes are taken away as they are.
  return ['/d', '/e:ON', '/v:OFF', '/s', '/c', `"${line}"`]
}

/**
 * Everything in quotes. A quote is doubled, so that to cmd.exe no argument ever ends before its end; programs read two as one.
 * `%cd:~,%` is nothing, and takes the place in which the name of a variable would be looked for.
 */
function quote(text: string): string {
  const inner = text
    .replace(/(?<!\\)(\\*)"/g, '$1$1""')
    .replace(/(?<!\\)(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%')
  return `"${inner}"`
}

/**
 * The program and the script that such a file of npm's (`cmd-shim`) starts, and nothing else: undefined for any other file.
 * `program` is undefined where it is the Node on the PATH.
 */
export function readNodeShim(
  path: string,
): { readonly program: string | undefined; readonly script: string } | undefined {
  const text = readSmall(path)?.replaceAll('\r\n', '\n') ?? ''
  const [, script] = NODE_SHIM.exec(text) ?? []
  if (script === undefined) return undefined
  const folder = win32.dirname(path)
  const beside = win32.join(folder, 'node.exe')
  return { program: existsSync(beside) ? beside : undefined, script: win32.join(folder, script) }
}

/** All of the file, from npm 7 on: https://github.com/npm/cmd-shim */
const NODE_SHIM = new RegExp(
  [
    '^@ECHO off',
    'GOTO start',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
    ':start',
    'SETLOCAL',
    'CALL :find_dp0',
    '',
    'IF EXIST "%dp0%\\\\node\\.exe" \\(',
    '  SET "_prog=%dp0%\\\\node\\.exe"',
    '\\) ELSE \\(',
    '  SET "_prog=node"',
    '  SET PATHEXT=%PATHEXT:;\\.JS;=;%',
    '\\)',
    '',
    'endLocal & goto #_undefined_# 2>NUL \\|\\| title %COMSPEC% & "%_prog%" {1,2}"%dp0%\\\\([^"%\n]+)" %\\*\n*$',
  ].join('\n'),
)

function readSmall(path: string): string | undefined {
  try {
    return readForeignText(path, { maxBytes: MOST_BYTES })
  } catch {
    return undefined
  }
}
