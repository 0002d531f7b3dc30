import { setTimeout as delay } from 'node:timers/promises'

export interface WaitOptions {
  /** Milliseconds until it fails. Default: 30 000. */
  timeout?: number
  /** What is waited for, as it reads after "Waited in vain for". */
  what?: string
  /** Milliseconds between two looks. Default: 10. */
  interval?: number
}

type Falsy = false | 0 | '' | null | undefined

/**
 * Looks until `condition` returns something truthy, and returns that. A condition that throws is asked again; its last
 * error becomes the cause of the failure, so `expect` works inside when something truthy is returned after it.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout = 30_000, what, interval = 10 }: WaitOptions = {},
): Promise<Exclude<T, Falsy>> {
  const end = performance.now() + timeout
  let seen: unknown
  let failure: unknown
  while (true) {
    try {
      const value = await condition()
      failure = undefined
      // Truthiness does not narrow a type parameter.
      if (value) return value as Exclude<T, Falsy>
      seen = value
    } catch (error) {
      failure = error
    }
    if (performance.now() >= end) break
    await delay(interval)
  }
  const last =
    failure === undefined ? `The last value was ${String(seen)}` : `The last look threw: ${describe(failure)}`
  const subject = what ?? condition.toString()
  throw new Error(`Waited in vain for ${subject} (${timeout} ms). ${last}.`, { cause: failure })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
