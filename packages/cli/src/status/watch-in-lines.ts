/** A live view where there is no terminal: a line for every change, until somebody ends it. */
import { once } from 'node:events'
import type { Backend, BackendEvent } from '../backend/backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { describeEvent } from './describe-event.ts'
import { endOfWatch } from './end-of-watch.ts'
import { EXAMPLE_COMMAND } from './welcome.ts'

export interface WatchInLinesOptions {
  readonly only?: string | undefined
  /** Said first where there are no servers. */
  readonly invitation?: string
}

export async function watchInLines(
  context: CommandContext,
  backend: Backend,
  { only, invitation = EXAMPLE_COMMAND }: WatchInLinesOptions = {},
): Promise<number> {
  const { io, home } = context
  let printing: Promise<void> = Promise.resolve()
  let isStopping = false
  const subscription = backend.onDidChange((event) => {
    if ('server' in event && only !== undefined && event.server !== only) return
    if (event.type === 'stopping') isStopping = true
    printing = printing.then(() => print(context, backend, event))
  })
  try {
    backend.start()
    printing = printing.then(() => printSnapshot(context, backend, only))
    if ((await backend.status()).length === 0 && !context.isJson) {
      context.out.line(`${now()} no servers in ${home.configFile} yet. Add one: ${invitation}`)
    }
    const interrupted = io.signal.aborted ? undefined : once(io.signal, 'abort')
    const lost = await Promise.race([backend.lost, interrupted?.then(() => undefined)])
    // A daemon that was told to stop has done so; one that is gone without a word is a failure.
    if (lost !== undefined && !isStopping) throw lost
    return endOfWatch(io)
  } finally {
    subscription.dispose()
    await printing
  }
}

/** A daemon's servers were up before anybody looked. */
async function printSnapshot(context: CommandContext, backend: Backend, only: string | undefined): Promise<void> {
  const daemon = await backend.daemon().catch(() => undefined)
  if (daemon === undefined) return
  const servers = (await backend.status()).filter(({ name }) => only === undefined || name === only)
  if (context.isJson) {
    await context.out.writeSlowly(`${JSON.stringify({ ts: now(), type: 'snapshot', ...daemon, servers })}\n`)
    return
  }
  for (const { name: server, state } of servers) {
    await print(context, backend, { type: 'state_changed', server, state, previous: state })
  }
}

async function print(context: CommandContext, backend: Backend, event: BackendEvent): Promise<void> {
  const { out, isJson } = context
  if (isJson) {
    const told = event.type === 'configuration_refused' ? { type: event.type, error: event.error.toReport() } : event
    await out.writeSlowly(`${JSON.stringify({ ts: now(), ...told })}\n`)
    return
  }
  // What can no longer be looked up is told without details.
  const text = describeEvent(event, await backend.status().catch(() => []))
  if (text !== undefined) await out.writeSlowly(`${now()} ${toSafeLine(text)}\n`)
}

function now(): string {
  return new Date().toISOString()
}
