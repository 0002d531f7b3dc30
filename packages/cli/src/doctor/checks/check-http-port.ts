/** Whether agents can reach us over HTTP: the daemon's own word, or without one whether the port could be had. */
import { createServer } from 'node:net'
import type { AccessPolicy } from '@switchboard/gateway'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { DoctorContext } from '../doctor-context.ts'
import { findPortHolder } from '../find-port-holder.ts'
import { type Finding, ok, warn } from '../finding.ts'

const DEFAULT = { host: '127.0.0.1', port: 19_877 }

export async function checkHttpPort(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  if (look.state === 'running') {
    const { http } = look.status.daemon
    if (http === null) return [ok('the daemon does not listen on HTTP')]
    if ('url' in http) return [ok(`agents connect to ${http.url}/mcp`), ...warnOfOpenDoor(http.auth)]
    return [warn(`the daemon does not listen on HTTP: ${http.error}`, http.hint)]
  }
  if (look.state === 'silent') return []
  const { env } = context.machine
  const config = await context.configuration()
  const settings = config === undefined || config instanceof SwitchboardError ? DEFAULT : config.gateway
  const open = warnOfOpenDoor('auth' in settings ? settings.auth : 'user')
  const host = env.SWITCHBOARD_HTTP_HOST || settings.host
  const port = Number(env.SWITCHBOARD_HTTP_PORT || settings.port)
  if (port === 0) return [ok('any free port is taken for HTTP'), ...open]
  const problem = await tryListen(host, port)
  if (problem === undefined) return [ok(`the port ${port} on ${host} is free`), ...open]
  if (problem !== 'EADDRINUSE') {
    return [
      warn(`${host}:${port} cannot be listened on (${problem})`, 'Choose another `gateway.host` or `gateway.port`.'),
      ...open,
    ]
  }
  const holder = await findPortHolder(port)
  const who = holder === undefined ? 'by another program' : `by process ${holder.pid} (${holder.command})`
  return [warn(`the port ${port} on ${host} is in use ${who}`, 'End it, or choose another `gateway.port`.'), ...open]
}

function warnOfOpenDoor(auth: AccessPolicy): Finding[] {
  if (auth !== 'none') return []
  const cure = 'Remove `gateway.auth` from the configuration; whoever is not you then needs `switchboard token create`.'
  return [warn('every user of this machine may call, and so run programs as you: `gateway.auth` is "none"', cure)]
}

/** The port is given back at once. */
function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (thrown: NodeJS.ErrnoException) => resolve(thrown.code ?? thrown.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
