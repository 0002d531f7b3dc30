/** The one entry that a client needs to reach Switchboard, in that client's own words. */
import type { ClientId } from './client-places.ts'

/** What the entry is called everywhere. */
export const ENTRY_NAME = 'switchboard'

export interface ClientEntry {
  readonly type?: 'stdio'
  readonly source?: 'custom'
  readonly command: string
  readonly args: readonly string[]
}

/** `run`: the absolute command line that starts the front. */
export function createClientEntry(id: ClientId, [command = '', ...args]: readonly string[]): ClientEntry {
  if (id === 'claude-code') return { type: 'stdio', command, args }
  return id === 'zed' ? { source: 'custom', command, args } : { command, args }
}
