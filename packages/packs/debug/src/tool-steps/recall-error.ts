/** What is known of the error that a program stopped on, or ended with. Only an error asks: no other answer pays for it. */
import type { MetError } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { Snapshot, StoppedSnapshot } from '../generated/types.ts'

/** One line; undefined: nothing is known in time. */
export async function recallError({ host, call }: DebugContext, snapshot: Snapshot): Promise<string | undefined> {
  const error = errorOf(snapshot)
  return error === undefined ? undefined : host.recall(error, call.caller)
}

function errorOf(snapshot: Snapshot): MetError | undefined {
  if (snapshot.event === 'stopped' && snapshot.exception !== undefined) {
    const { type, message } = snapshot.exception
    // Some engines say the type in the message as well.
    return { message: message.startsWith(type) ? message : `${type}: ${message}`, type, stack: stackOf(snapshot) }
  }
  if (snapshot.event !== 'terminated' || (snapshot.exitCode ?? 0) === 0) return undefined
  return snapshot.output === undefined ? undefined : { message: snapshot.output }
}

/** In the form of one that a program prints. */
function stackOf({ path, line, function: name, frames }: StoppedSnapshot): string {
  const all = [{ name: name ?? '', path, line }, ...frames]
  return all.map((frame) => `    at ${frame.name} (${frame.path ?? ''}:${frame.line ?? 0}:1)`).join('\n')
}
