/** What a command is, as data: parser, help, docs/command.md and completion all read this. */
import type { BareContext, CommandContext } from '../context/command-context.ts'
import type { ExitCode } from '../program/exit-code.ts'
import type { OptionValues } from './option-values.ts'

export interface OptionSpec {
  readonly name: string
  readonly short?: string
  /** list: may be given several times. */
  readonly type: 'flag' | 'text' | 'list'
  /** How the value is called in the help: `<file>`. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** What is completed in its place. */
  readonly completes?: CompletedNames
  readonly summary: string
}

/** Of what the names are completed that only whoever runs the servers knows. */
export type CompletedNames = 'servers' | 'tools'

export interface ArgumentSpec {
  readonly name: string
  readonly required: boolean
  readonly summary: string
  readonly choices?: readonly string[]
  readonly completes?: CompletedNames
  /** The last one may be given several times. */
  readonly repeats?: boolean
}

export interface CommandInput {
  readonly options: OptionValues
  readonly positionals: readonly string[]
  /** What follows `--`. */
  readonly rest: readonly string[]
}

interface SpecBase {
  /** One word, or a group and its command: `server add`. */
  readonly name: string
  /** What people type out of habit. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly description?: readonly string[]
  readonly arguments: readonly ArgumentSpec[]
  /** What may follow `--`, as it reads in the usage line. */
  readonly rest?: string
  readonly options: readonly OptionSpec[]
  readonly examples: readonly { readonly command: string; readonly what: string }[]
  /** Besides 0 and 2. */
  readonly exitCodes: readonly ExitCode[]
}

/** Its module is loaded when it is run, so that a command pays for its own imports only. */
export type CommandSpec = SpecBase &
  (
    | {
        readonly needs: 'nothing'
        readonly load: () => Promise<{ run: (context: BareContext, input: CommandInput) => Promise<number> }>
      }
    | {
        readonly needs: 'home'
        readonly load: () => Promise<{ run: (context: CommandContext, input: CommandInput) => Promise<number> }>
      }
  )
