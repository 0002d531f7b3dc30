/** A shell task as VS Code runs it: one line for the shell, arguments quoted where they must be. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface ShellCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly shown: string
}

export function toShellCommand(
  command: unknown,
  args: readonly unknown[],
  shell: JsonObject,
  platform: NodeJS.Platform = process.platform,
): ShellCommand {
  const isWindows = platform === 'win32'
  // With arguments the command is a program, whose name may have blanks; alone it is a whole line.
  const first = args.length === 0 ? argumentText(command) : quote(command, isWindows)
  const line = [first, ...args.map((argument) => quote(argument, isWindows))].join(' ')
  if (typeof shell.executable === 'string') {
    const own = Array.isArray(shell.args) ? shell.args.map(String) : ['-c']
    return { command: shell.executable, args: [...own, line], shown: line }
  }
  return isWindows
    ? { command: 'cmd.exe', args: ['/d', '/s', '/c', line], shown: line }
    : { command: '/bin/sh', args: ['-c', line], shown: line }
}

export function describeCommand(words: readonly string[]): string {
  return words.map((word) => quote(word, false)).join(' ')
}

/** `{value, quoting}` says how; a plain text is quoted when it has blanks in it and no quotes of its own. */
function quote(argument: unknown, isWindows: boolean): string {
  const text = argumentText(argument)
  const quoting = isJsonObject(argument) ? argument.quoting : undefined
  if (quoting === undefined && (text === '' ? false : !/\s/.test(text) || /^(["']).*\1$/.test(text))) return text
  if (isWindows || quoting === 'weak') return `"${text.replaceAll('"', '\\"')}"`
  if (quoting === 'escape') return text.replace(/[\s"'\\$`&|;<>()*?]/g, '\\$&')
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function argumentText(argument: unknown): string {
  const value = isJsonObject(argument) ? argument.value : argument
  return Array.isArray(value) ? value.join(' ') : String(value)
}
