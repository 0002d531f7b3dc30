import { type Clock, systemClock } from '@switchboard/base'
import { createNotification, createRequest } from '@switchboard/protocol'
import { createHttpTransport, type HttpTransportOptions } from '../../src/transport/http-transport.ts'
import type { UpstreamTransport } from '../../src/transport/transport.ts'
import { Recorder } from './recorder.ts'
import { legacyScript, type Script, ScriptedServer, type Seen } from './scripted-server.ts'

export const cleanups: (() => Promise<void>)[] = []

/** Undoes what a test has opened, last first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export async function startServer(script: Script, port?: number): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script, port)
  cleanups.push(() => server.kill())
  return server
}

export function open(
  url: string,
  options: Partial<HttpTransportOptions> = {},
): { transport: UpstreamTransport; recorder: Recorder } {
  const transport = createHttpTransport({ url, ...options })
  const recorder = new Recorder()
  transport.open(recorder)
  cleanups.push(() => transport.close({ force: true }))
  return { transport, recorder }
}

/** Waits asked for in the protocol pass at once; nothing else here depends on time. */
export const hastyClock: Clock & { waits: number[] } = {
  ...systemClock,
  waits: [],
  setTimer(ms, fire) {
    this.waits.push(ms)
    return systemClock.setTimer(ms <= 3000 ? 0 : ms, fire)
  },
}

async function handshake(transport: UpstreamTransport, recorder: Recorder): Promise<void> {
  transport.send(createRequest('init', 'initialize', {}))
  await recorder.next('message')
  transport.setProtocol('legacy', '2025-11-25')
  transport.send(createNotification('notifications/initialized'))
}

export async function openLegacy(script: Script, options: Partial<HttpTransportOptions> = {}) {
  const server = await startServer(script)
  const opened = open(server.url, options)
  await handshake(opened.transport, opened.recorder)
  opened.recorder.all.length = 0
  return { server, ...opened }
}

/** An answer to GET that stays open, for tests in which the listening stream plays no part or all. */
export function withListening(onRequest: Script, onGet: (seen: Seen) => void): Script {
  const legacy = legacyScript(onRequest)
  return (seen) => (seen.method === 'GET' ? onGet(seen) : legacy(seen))
}
