/** Whether agents can reach us over HTTP: the daemon's own word, or without one whether the port could be had. */
import { createServer } from 'node:net'
import { SwitchboardError } from '@switchboard/protocol'
import type { DoctorContext } from '../doctor-context.ts'
import { findPortHolder } from '../find-port-holder.ts'
import { type Finding, ok, warn } from '../finding.ts'

const DEFAULT = { host: '127.0.0.1', port: 19_877 }

export async function checkHttpPort(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  if (look.state === 'running') {
    const { http } = look.status.daemon
    if (http === null) return [ok('the daemon does not listen on HTTP')]
    if ('url' in http) return [ok(`agents connect to ${http.url}/mcp`)]
    return [warn(`the daemon does not listen on HTTP: ${http.error}`, http.hint)]
  }
  if (look.state === 'silent') return []
  const { env } = context.machine
  const config = await context.configuration()
  const settings = config === undefined || config instanceof SwitchboardError ? DEFAULT : config.gateway
  const host = env.SWITCHBOARD_HTTP_HOST || settings.host
  const port = Number(env.SWITCHBOARD_HTTP_PORT || settings.port)
  if (port === 0) return [ok('any free port is taken for HTTP')]
  const problem = await tryListen(host, port)
  if (problem === undefined) return [ok(`the port ${port} on ${host} is free`)]
  if (problem !== 'EADDRINUSE') {
    return [
      warn(`${host}:${port} cannot be listened on (${problem})`, 'Choose another `gateway.host` or `gateway.port`.'),
    ]
  }
  const holder = await findPortHolder(port)
  const who = holder === undefined ? 'by another program' : `by process ${holder.pid} (${holder.command})`
  return [warn(`the port ${port} on ${host} is in use ${who}`, 'End it, or choose another `gateway.port`.')]
}

/** The port is given back at once. */
function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (thrown: NodeJS.ErrnoException) => resolve(thrown.code ?? thrown.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
