import { LOGGING_LEVELS, type LoggingLevel } from '@switchboard/protocol/mcp'

/** A level that nobody knows is below all others. */
export function isAsSevere(level: string, least: LoggingLevel): boolean {
  return severityOf(level) >= severityOf(least)
}

function severityOf(level: string): number {
  return (LOGGING_LEVELS as readonly string[]).indexOf(level)
}
