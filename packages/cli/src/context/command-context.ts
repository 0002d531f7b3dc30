/** What a command is given to work with. */
import { resolve } from 'node:path'
import type { Logger, LogHold } from '@switchboard/telemetry'
import { quoteCommand } from '../clients/quote-command.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import { findCommandForm } from '../program/command-form.ts'
import type { Io } from '../program/io.ts'
import { Terminal } from '../terminal/terminal.ts'
import type { Home } from './home.ts'

export interface BareContext {
  readonly io: Io
  readonly out: Terminal
  readonly err: Terminal
  readonly isJson: boolean
  readonly isVerbose: boolean
}

export interface CommandContext extends BareContext {
  readonly home: Home
  readonly inst: string
  readonly log: Logger
  /** Of all its logs: written when something goes wrong, or when the command lasts. */
  readonly logHold: LogHold
}

export function createBareContext(io: Io, options: OptionValues): BareContext {
  let form: string | undefined
  const style = {
    env: io.env,
    noColor: options.flag('no-color'),
    signal: io.signal,
    form: () => (form ??= [findCommandForm(io), ...quoteWhere(io, options)].join(' ')),
  }
  return {
    io,
    out: new Terminal(io.stdout, style),
    err: new Terminal(io.stderr, style),
    isJson: options.flag('json'),
    isVerbose: options.flag('verbose'),
  }
}

/** A home that was named has to be named again. */
function quoteWhere({ cwd }: Io, options: OptionValues): string[] {
  const words = ['home', 'config'].flatMap((name) => {
    const path = options.text(name)
    return path === undefined ? [] : [`--${name}`, resolve(cwd, path)]
  })
  return words.length === 0 ? [] : [quoteCommand(words, process.platform)]
}

export function printJson(context: BareContext, value: unknown): void {
  // As it is: what stands in it is for programs.
  void context.out.writeSlowly(`${JSON.stringify(value, null, context.out.isTTY ? 2 : undefined)}\n`)
}
