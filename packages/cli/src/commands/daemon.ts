/** The daemon in this process, until it is told to end. Its log is `daemon.log`; here it says only where it is. */
import { once } from 'node:events'
import { type Daemon, openDaemon } from '@switchboard/daemon'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { openHome } from '../context/home.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { type Io, readInterruption } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'

export async function run(context: BareContext, { options }: CommandInput): Promise<number> {
  const { io } = context
  const home = await openHome(options, io)
  const { isConfigExplicit } = home
  const daemon = await openDaemon({ paths: home, isConfigExplicit, version: VERSION, env: io.env })
  io.surviveStrays((error) => daemon.noteBug(error))
  try {
    announce(context, daemon)
    const interruption = await Promise.race([waitForEnd(io), daemon.ended.then(() => undefined)])
    if (interruption?.kind === 'crash') daemon.log.error('daemon.bug', 'a bug', { cause: interruption.error })
    const isCrash = interruption?.kind === 'crash'
    await endDaemon(daemon, io, isCrash ? 'a bug' : 'a signal')
    return isCrash ? exitCodeOfInterruption(interruption) : EXIT.ok
  } finally {
    await daemon.close({ force: true })
  }
}

function announce(context: BareContext, daemon: Daemon): void {
  const { http, tcp } = daemon.doors
  if (context.isJson) {
    const { started_at: startedAt, ...info } = daemon.info
    printJson(context, { ...info, startedAt, http, tcp })
    return
  }
  const { style } = context.out
  const { pid, endpoint } = daemon.info
  context.out.line(`${style.bold('Switchboard')} runs as process ${pid} and listens at ${endpoint}`)
  if (http === null) return
  if ('url' in http) context.out.line(style.dim(`  agents that speak HTTP connect to ${http.url}/mcp`))
  else context.err.line(`${style.yellow('no HTTP:')} ${http.error}. ${http.hint}`)
}

/** Whoever started us may go away and leave our outputs without a reader; a daemon goes on. */
async function waitForEnd(io: Io): Promise<ReturnType<typeof readInterruption>> {
  if (!io.signal.aborted) await once(io.signal, 'abort')
  const interruption = readInterruption(io.signal)
  if (interruption?.kind !== 'broken_pipe') return interruption
  if (!io.force.aborted) await once(io.force, 'abort')
  return readInterruption(io.force)
}

/** A second signal does not wait for calls. */
async function endDaemon(daemon: Daemon, { force }: Io, reason: string): Promise<void> {
  const onForce = (): void => void daemon.close({ force: true })
  force.addEventListener('abort', onForce)
  await daemon.close({ reason })
  force.removeEventListener('abort', onForce)
}
