/** What the daemon makes of a configuration file that a command has just changed. It is told as it is, not as it is hoped for. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Backend, BackendServer } from '../backend/backend.ts'
import { waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { formatCount } from '../terminal/format.ts'
import { firstLine, toSafeText } from '../terminal/safe-text.ts'

/** Most servers are up by then; one whose program has to be downloaded first is not. */
const START_MS = 5_000

export type DaemonVerdict =
  /** No daemon runs, or one that runs another file. */
  | { readonly state: 'none' }
  /** `server`: how the one that was changed is now, where it is there. */
  | { readonly state: 'applied'; readonly server?: BackendServer; readonly needsRestart: boolean }
  | { readonly state: 'refused'; readonly reason: string }
  /** It runs and does not say: the file is changed all the same. */
  | { readonly state: 'unknown'; readonly reason: string }

/** `isAwaited`: the server is started by the change, and worth waiting for. */
export async function askVerdict(context: CommandContext, server: string, isAwaited: boolean): Promise<DaemonVerdict> {
  const { openDaemonBackend } = await import('../backend/open-daemon-backend.ts')
  try {
    const backend = await openDaemonBackend(context, undefined)
    if (backend === undefined) return { state: 'none' }
    try {
      return await ask(context, backend, server, isAwaited)
    } finally {
      await backend.close()
    }
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error
    return { state: 'unknown', reason: error.message }
  }
}

async function ask(
  context: CommandContext,
  backend: Backend,
  name: string,
  isAwaited: boolean,
): Promise<DaemonVerdict> {
  const { configuration, needs_restart: needsRestart } = await backend.applyConfiguration()
  if (configuration.state === 'refused') return { state: 'refused', reason: configuration.error.message }
  const [server] = await waitUntilSettled(context, backend, isAwaited ? START_MS : 0, name)
  return { state: 'applied', needsRestart, ...(server === undefined ? {} : { server }) }
}

/** As members of what a command prints with `--json`. */
export function toVerdictJson(verdict: DaemonVerdict): object {
  const live = verdict.state === 'applied'
  if (verdict.state !== 'applied') return { live, ...('reason' in verdict ? { [verdict.state]: verdict.reason } : {}) }
  const { server, needsRestart } = verdict
  const { state, reason, tools } = server ?? {}
  return {
    live,
    ...(server === undefined ? {} : { server: { state, tools, ...(reason === undefined ? {} : { reason }) } }),
    ...(needsRestart ? { needsRestart } : {}),
  }
}

/** For a person, below what was changed. */
export function printVerdict({ out, io }: CommandContext, name: string, verdict: DaemonVerdict): void {
  const { style } = out
  switch (verdict.state) {
    case 'none':
      return
    case 'unknown':
      out.line(`${style.yellow('  !')} a daemon runs, and does not say whether it applies this: ${verdict.reason}`)
      return
    case 'refused':
      out.line(`${style.red('  ✗')} the daemon refuses the configuration, and goes on with the one before:`)
      for (const line of toSafeText(verdict.reason).split('\n')) out.line(`    ${line}`)
      return
    case 'applied':
      for (const line of describeServer(name, verdict.server, io.env)) {
        out.line(line.isWell ? style.dim(`  ${line.text}`) : `${style.yellow('  !')} ${line.text}`)
      }
      if (verdict.needsRestart) out.line(`${style.yellow('  !')} some of it holds from the next start on`)
  }
}

interface Line {
  readonly isWell: boolean
  readonly text: string
}

function describeServer(name: string, server: BackendServer | undefined, env: NodeJS.ProcessEnv): Line[] {
  const well = (text: string): Line => ({ isWell: true, text })
  const ill = (text: string): Line => ({ isWell: false, text })
  if (server === undefined) return [well('the daemon has applied it')]
  const { state, reason, tools, login } = server
  // Said before its state, which is that of a server that is not up.
  if (login === 'wanted' && state === 'auth_required')
    return [ill(`it needs a login: switchboard server login ${name}`)]
  switch (state) {
    case 'ready':
    case 'probing':
      return [well(`the daemon runs it: ${formatCount(tools, 'tool')}`)]
    case 'starting':
      return [well(`the daemon is starting it; switchboard status ${name} shows how it goes`)]
    case 'idle':
      return [well('the daemon starts it at its first use')]
    case 'misconfigured':
      return [
        ill(`the daemon does not run it: ${firstLine(reason ?? '')}`),
        ...listUnsetThere(reason ?? '', env).map((variable) =>
          ill(`${variable} is set here, and not where the daemon was started: switchboard restart takes it along`),
        ),
      ]
    case 'disabled':
    case 'stopping':
    case 'stopped':
      return [well('the daemon has applied it')]
    default:
      return [ill(`the daemon cannot start it: ${firstLine(reason ?? state)}`)]
  }
}

/** The daemon has the environment of whoever started it. */
function listUnsetThere(reason: string, env: NodeJS.ProcessEnv): string[] {
  const named = [...reason.matchAll(/the variable (\w+) is not set/g)].flatMap(([, variable]) => variable ?? [])
  return [...new Set(named)].filter((variable) => env[variable] !== undefined)
}
