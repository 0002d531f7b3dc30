import { ToolError } from '@switchboard/toolkit'
import { DapRequestError } from './dap-client.ts'

/** What the adapter refused becomes an error with this code; other failures have theirs already. */
export async function refusedAs<T>(code: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DapRequestError) throw new ToolError(code, describe(error), { cause: error })
    throw error
  }
}

/** Some adapters say no more than "Failed". */
function describe({ command, message }: DapRequestError): string {
  return /\s/.test(message.trim()) ? message : `The debugger refused ${command}: ${message}`
}
