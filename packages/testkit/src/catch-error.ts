import { SwitchboardError } from '@switchboard/protocol/errors'

/** What was thrown, and is one of ours. */
export function catchError(run: () => unknown): SwitchboardError {
  try {
    run()
  } catch (error) {
    if (error instanceof SwitchboardError) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

/** What a promise is rejected with, and is one of ours. */
export async function catchRejection(promise: Promise<unknown>): Promise<SwitchboardError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof SwitchboardError) return error
    throw error
  }
  throw new Error('It was expected to fail and succeeded')
}
