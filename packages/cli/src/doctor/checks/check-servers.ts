/** Which servers are not up, and why: as the daemon sees them, or without one whether their programs are there at all. */
import type { SwitchboardConfig } from '@switchboard/daemon/configuration'
import type { ServerStatus } from '@switchboard/pool'
import { createChildEnvironment, resolveCommand } from '@switchboard/process'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { formatCount } from '../../terminal/format.ts'
import { firstLine } from '../../terminal/safe-text.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

export async function checkServers(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  if (look.state === 'running') return judgeRunning(look.status.servers)
  const config = await context.configuration()
  if (config === undefined || config instanceof SwitchboardError) return []
  return judgeConfigured(config, context.machine.env)
}

export function judgeRunning(servers: readonly ServerStatus[]): Finding[] {
  const findings = servers.flatMap((server) => [...judgeEntry(server), ...judgeTrust(server), ...judge(server)])
  if (findings.length > 0) return findings
  return [ok(servers.length === 0 ? 'none is configured' : `${formatCount(servers.length, 'server')}, all well`)]
}

function judge({ name, state, reason, install, lastStderr, restarts, login }: ServerStatus): Finding[] {
  const why = firstLine(reason ?? lastStderr.at(-1) ?? 'no reason is known')
  const logs = `switchboard server logs ${name} shows what it said; switchboard server restart ${name} tries again.`
  switch (state) {
    case 'misconfigured':
      return describeWrongEntry(name, reason ?? '', 'where the daemon is started; then: switchboard restart')
    case 'not_installed':
      return [
        error(
          `${name} is not installed: ${why}`,
          install ?? `Install its program, or: switchboard server remove ${name}`,
        ),
      ]
    case 'auth_required':
      return [
        login === 'wanted'
          ? error(`${name} needs a login: ${why}`, `switchboard server login ${name}`)
          : error(
              `${name} asks for a credential: ${why}`,
              `Give it one in its entry (headers or env), then restart it.`,
            ),
      ]
    case 'failed':
    case 'backoff':
      return [error(`${name} is down: ${why}`, logs)]
    case 'probing':
      return [warn(`${name} does not answer at the moment`, logs)]
    case 'starting':
      return restarts === 0 && reason === undefined ? [] : [warn(`${name} is being started again: ${why}`, logs)]
    default:
      return []
  }
}

/** What it offers is another thing than what was accepted of it. */
function judgeTrust({ name, trust }: ServerStatus): Finding[] {
  if (trust === undefined) return []
  return [warn(`${name}: ${trust}`, `Look at it, and accept what is right: switchboard trust accept ${name}`)]
}

/** It runs, but not as it is written now. */
function judgeEntry({ name, entryProblem }: ServerStatus): Finding[] {
  if (entryProblem === undefined) return []
  return entryProblem
    .split('\n')
    .map((line) =>
      error(`${name} runs as it was before its entry was changed: ${line}`, 'Correct it and save the file.'),
    )
}

/** `where` a variable that is not set has to be. */
function describeWrongEntry(name: string, reason: string, where: string): Finding[] {
  return reason.split('\n').map((line) => {
    const [, variable] = /the variable (\w+) is not set/.exec(line) ?? []
    const cure = variable === undefined ? 'Correct it and save the file.' : `Set ${variable} ${where}`
    return error(`${name} is misconfigured: ${line}`, cure)
  })
}

function judgeConfigured(
  { servers, misconfigured }: Pick<SwitchboardConfig, 'servers' | 'misconfigured'>,
  env: DoctorContext['machine']['env'],
): Finding[] {
  const enabled = servers.filter((server) => server.enabled)
  const wrong = misconfigured.flatMap(({ name, reason }) =>
    describeWrongEntry(name, reason, 'where the daemon will be started.'),
  )
  const missing = enabled.flatMap((server) => {
    if (server.type !== 'stdio') return []
    const from = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
    const environment = createChildEnvironment(server.env, server.inheritEnv, from)
    const resolved = resolveCommand(server.command, { cwd: server.cwd, environment })
    if (resolved.found) return []
    const cure = server.install ?? `Install it, or correct the entry; switchboard server show ${server.name} shows it.`
    return [error(`${server.name} cannot be started: ${resolved.message}`, cure)]
  })
  const findings = [...wrong, ...missing]
  if (findings.length > 0) return findings
  return [
    ok(
      enabled.length === 0
        ? 'none is configured'
        : `the programs of ${formatCount(enabled.length, 'server')} are there`,
    ),
  ]
}
