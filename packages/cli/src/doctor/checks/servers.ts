/** Which servers are not up, and why: as the daemon sees them, or without one whether their programs are there at all. */
import type { ServerConfig, ServerStatus } from '@switchboard/pool'
import { createChildEnvironment, resolveCommand } from '@switchboard/process'
import { SwitchboardError } from '@switchboard/protocol'
import { formatCount } from '../../terminal/format.ts'
import { firstLine } from '../../terminal/safe-text.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

export async function checkServers(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  if (look.state === 'running') return judgeRunning(look.status.servers)
  const config = await context.configuration()
  if (config === undefined || config instanceof SwitchboardError) return []
  return judgeConfigured(config.servers, context.machine.env)
}

export function judgeRunning(servers: readonly ServerStatus[]): Finding[] {
  const findings = servers.flatMap((server) => judge(server) ?? [])
  if (findings.length > 0) return findings
  return [ok(servers.length === 0 ? 'none is configured' : `${formatCount(servers.length, 'server')}, all well`)]
}

function judge({ name, state, reason, install, lastStderr, restarts }: ServerStatus): Finding | undefined {
  const why = firstLine(reason ?? lastStderr.at(-1) ?? 'no reason is known')
  const logs = `switchboard server logs ${name} shows what it said; switchboard server restart ${name} tries again.`
  switch (state) {
    case 'not_installed':
      return error(
        `${name} is not installed: ${why}`,
        install ?? `Install its program, or: switchboard server remove ${name}`,
      )
    case 'auth_required':
      return error(
        `${name} asks for a credential: ${why}`,
        `Give it one in its entry (headers or env), then restart it.`,
      )
    case 'failed':
    case 'backoff':
      return error(`${name} is down: ${why}`, logs)
    case 'probing':
      return warn(`${name} does not answer at the moment`, logs)
    case 'starting':
      return restarts === 0 && reason === undefined ? undefined : warn(`${name} is being started again: ${why}`, logs)
    default:
      return undefined
  }
}

function judgeConfigured(servers: readonly ServerConfig[], env: DoctorContext['machine']['env']): Finding[] {
  const enabled = servers.filter((server) => server.enabled)
  const findings = enabled.flatMap((server) => {
    if (server.type !== 'stdio') return []
    const from = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
    const environment = createChildEnvironment(server.env, server.inheritEnv, from)
    const resolved = resolveCommand(server.command, { cwd: server.cwd, environment })
    if (resolved.found) return []
    const cure = server.install ?? `Install it, or correct the entry; switchboard server show ${server.name} shows it.`
    return [error(`${server.name} cannot be started: ${resolved.message}`, cure)]
  })
  if (findings.length > 0) return findings
  return [
    ok(
      enabled.length === 0
        ? 'none is configured'
        : `the programs of ${formatCount(enabled.length, 'server')} are there`,
    ),
  ]
}
