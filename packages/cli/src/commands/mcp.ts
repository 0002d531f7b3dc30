import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { openSwitchboard } from '@switchboard/daemon'
import type { CommandInput } from '../command-line/command-spec.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import { readDuration } from '../command-line/read-duration.ts'
import type { CommandContext } from '../context/command-context.ts'
import { createSwitchboardOptions } from '../context/switchboard-options.ts'
import { chooseWorkspace } from '../context/workspace.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'

/** stdout belongs to the protocol: nothing else is ever written there. */
export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  if (options.flag('standalone')) return runStandalone(context, options)
  // What the early dispatch in main.ts left to us: mostly mistakes, which this reports.
  const { prepareFront, runFront } = await import('../front/run-front.ts')
  return runFront(await prepareFront(options, context.io), context.io)
}

async function runStandalone(context: CommandContext, options: OptionValues): Promise<number> {
  const { io, inst, log, logHold } = context
  logHold.keep()
  const text = options.text('timeout')
  const timeout = text === undefined ? {} : { timeout: readDuration(text, 'timeout', 'mcp') }
  const profile = options.text('profile') ?? 'default'
  const { switchboard, close } = await openSwitchboard({ ...createSwitchboardOptions(context), force: io.force })
  try {
    // Throws for a profile that is not there, before the agent is told that all is well.
    switchboard.router.view(profile)
    log.info('mcp.init', 'serving one agent on stdin and stdout', { profile })
    switchboard.start({ isForAgents: true })
    const workspace = chooseWorkspace(options.text('workspace'), io.cwd)
    const project = !options.flag('no-project')
    if (workspace !== undefined) await switchboard.enter({ instance: inst, workspace, project })
    const identity = { instance: inst, profile, ...timeout, ...(workspace === undefined ? {} : { workspace }) }
    const server = switchboard.serveStdio(io.stdin as Readable, io.stdout as Writable, identity)
    const interrupted = io.signal.aborted ? Promise.resolve() : once(io.signal, 'abort')
    const reason = await Promise.race([server.ended, interrupted.then(() => 'interrupted')])
    server.close(reason)
    log.info(
      'mcp.dispose',
      reason === 'stdin EOF detected' ? 'stdin EOF detected, shutting down' : `${reason}, shutting down`,
    )
    const interruption = readInterruption(io.signal)
    return interruption === undefined ? EXIT.ok : exitCodeOfInterruption(interruption)
  } finally {
    await close()
  }
}
