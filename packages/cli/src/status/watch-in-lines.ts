/** `status --watch` where there is no terminal: a line for every change, until somebody ends it. */
import { once } from 'node:events'
import type { Backend, BackendEvent } from '../backend/backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { describeEvent } from './describe-event.ts'
import { endOfWatch } from './end-of-watch.ts'
import { EXAMPLE_COMMAND } from './welcome.ts'

export async function watchInLines(
  context: CommandContext,
  backend: Backend,
  only: string | undefined,
): Promise<number> {
  const { io, home } = context
  let printing: Promise<void> = Promise.resolve()
  const subscription = backend.onDidChange((event) => {
    if ('server' in event && only !== undefined && event.server !== only) return
    printing = printing.then(() => print(context, backend, event))
  })
  try {
    backend.start()
    if ((await backend.status()).length === 0 && !context.isJson) {
      context.out.line(`${now()} no servers in ${home.configFile} yet. Add one: ${EXAMPLE_COMMAND}`)
    }
    if (!io.signal.aborted) await once(io.signal, 'abort')
    return endOfWatch(io)
  } finally {
    subscription.dispose()
    await printing
  }
}

async function print(context: CommandContext, backend: Backend, event: BackendEvent): Promise<void> {
  const { out, isJson } = context
  if (isJson) {
    const told = event.type === 'configuration_refused' ? { type: event.type, error: event.error.toReport() } : event
    await out.writeSlowly(`${JSON.stringify({ ts: now(), ...told })}\n`)
    return
  }
  const text = describeEvent(event, await backend.status())
  if (text !== undefined) await out.writeSlowly(`${now()} ${toSafeLine(text)}\n`)
}

function now(): string {
  return new Date().toISOString()
}
