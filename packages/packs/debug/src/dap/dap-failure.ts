import { ToolError } from '@switchboard/toolkit'
import { DapRequestError } from './dap-client.ts'

/** What the adapter refused becomes an error with this code, unless it tells one itself; other failures have theirs already. */
export async function refusedAs<T>(code: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DapRequestError)) throw error
    const { code: told = code, hint } = error.told
    throw new ToolError(told, describe(error), { ...(hint === undefined ? {} : { hint }), cause: error })
  }
}

/** Some adapters say no more than "Failed". */
function describe({ command, message }: DapRequestError): string {
  return /\s/.test(message.trim()) ? message : `The debugger refused ${command}: ${message}`
}
