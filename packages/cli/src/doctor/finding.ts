export type FindingLevel = 'ok' | 'warn' | 'error'

/** One thing that was looked at: how it is, in one line, and what to do about it. */
export interface Finding {
  readonly level: FindingLevel
  readonly message: string
  /** Absent only where nothing is to be done. */
  readonly cure?: string
  /** Does it, and says in one line what was done. Throws what prevented it. */
  readonly fix?: () => Promise<string>
}

export function ok(message: string): Finding {
  return { level: 'ok', message }
}

export function warn(message: string, cure: string, fix?: Finding['fix']): Finding {
  return { level: 'warn', message, cure, ...(fix === undefined ? {} : { fix }) }
}

export function error(message: string, cure: string, fix?: Finding['fix']): Finding {
  return { level: 'error', message, cure, ...(fix === undefined ? {} : { fix }) }
}
