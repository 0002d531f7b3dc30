/** Which of the tools there are: those of modes where modes are configured, the logs where there are any. */
import type { Listing } from '@switchboard/toolkit'
import type { SwitchboardServices } from './services.ts'

export function createListing({ logs, modes }: Pick<SwitchboardServices, 'logs' | 'modes'>): Listing {
  const configured = modes?.list() ?? []
  const names = `Modes: ${configured.map(({ name, description }) => `${name} (${description})`).join('; ')}.`
  const noLogs = logs === undefined ? ['debug_get_logs'] : []
  if (configured.length === 0) return { hidden: [...noLogs, 'mode_get_instructions', 'mode_status'] }
  return {
    hidden: noLogs,
    notes: { mode_get_instructions: names },
    instructions: `Before you call other tools, declare what you are about with mode_get_instructions. ${names}`,
  }
}
