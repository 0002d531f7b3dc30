/** From a command line to an exit code: parse, prepare what the command needs, run it, report how it ended. */
import { type SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { type BareContext, type CommandContext, createBareContext } from '../context/command-context.ts'
import { reportError } from '../context/report-error.ts'
import { formatHelp, formatUsage } from '../help/format-help.ts'
import { EXIT, exitCodeOf, exitCodeOfInterruption } from '../program/exit-code.ts'
import { type Io, readInterruption } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'
import type { CommandInput, CommandSpec } from './command-spec.ts'
import { COMMANDS } from './commands.ts'
import { OptionValues } from './option-values.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { UsageError } from './usage-error.ts'

export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  let context = createBareContext(io, guessOptions(argv))
  try {
    const parsed = parseCommandLine(argv, COMMANDS)
    switch (parsed.kind) {
      case 'version':
        context.out.line(`switchboard ${VERSION}`)
        return EXIT.ok
      case 'help':
        context.out.write(formatHelp(parsed.topic, context.out))
        return EXIT.ok
      case 'command':
        context = createBareContext(io, parsed.input.options)
        return await runCommand(parsed.spec, parsed.input, context)
    }
  } catch (thrown) {
    return reportFailure(context, thrown)
  }
}

/** How a mistake is to be reported is in the very line that has the mistake. */
function guessOptions(argv: readonly string[]): OptionValues {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const given = ['json', 'no-color', 'verbose'].filter((name) => own.includes(`--${name}`))
  return new OptionValues(new Map(given.map((name) => [name, true])))
}

async function runCommand(spec: CommandSpec, input: CommandInput, bare: BareContext): Promise<number> {
  if (spec.needs === 'nothing') return (await spec.load()).run(bare, input)
  const { openContext } = await import('../context/open-context.ts')
  const context: CommandContext = await openContext(bare, input.options)
  // Somebody who reads the logs does not want to find the reading in them.
  const level = spec.name.endsWith('logs') || spec.name === 'trace' ? 'debug' : 'info'
  const { log, inst } = context
  log[level]('cli.start', `switchboard ${spec.name}`, { version: VERSION, pid: process.pid, inst })
  try {
    const { run } = await spec.load()
    const code = await run(context, input)
    log[level]('cli.end', `switchboard ${spec.name} ended with ${code}`, { code })
    if (code !== EXIT.ok) context.logHold.keep()
    return code
  } catch (thrown) {
    const error = toSwitchboardError(thrown)
    const { code, family, message } = error
    // Only our own bugs are logged with a stack.
    const cause = family === 'ours' ? { cause: error.cause ?? error } : {}
    log.error('cli.end', `switchboard ${spec.name}: ${message}`, { code, ...cause })
    throw thrown
  } finally {
    await log.close()
  }
}

function reportFailure(context: BareContext, thrown: unknown): number {
  const interruption = readInterruption(context.io.signal)
  const error = toSwitchboardError(thrown)
  const isOver = interruption !== undefined && (error.code === 'cancelled' || error.code === 'shutting_down')
  if (interruption !== undefined && (isOver || interruption.kind !== 'signal')) {
    if (interruption.kind === 'signal') reportCancelled(context, error)
    return exitCodeOfInterruption(interruption)
  }
  reportError(context, error)
  if (error instanceof UsageError && !context.isJson) {
    context.err.line(context.err.style.dim(`usage: ${formatUsage(error.command)}`))
  }
  return exitCodeOf(error)
}

function reportCancelled(context: BareContext, error: SwitchboardError): void {
  if (context.isJson) reportError(context, error)
  else context.err.line(context.err.style.yellow(`cancelled: ${error.message}`))
}
