/** What a command is given to work with. */
import type { Logger } from '@switchboard/telemetry'
import type { OptionValues } from '../command-line/option-values.ts'
import type { Io } from '../io.ts'
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
}

export function createBareContext(io: Io, options: OptionValues): BareContext {
  const style = { env: io.env, noColor: options.flag('no-color'), signal: io.signal }
  return {
    io,
    out: new Terminal(io.stdout, style),
    err: new Terminal(io.stderr, style),
    isJson: options.flag('json'),
    isVerbose: options.flag('verbose'),
  }
}

export function printJson(context: BareContext, value: unknown): void {
  context.out.line(JSON.stringify(value, null, context.out.isTTY ? 2 : undefined))
}
