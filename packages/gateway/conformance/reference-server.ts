/**
 * The server that the conformance suite is run against, directly and through the gateway. Built on the public SDK, so
 * that a scenario that fails here is no matter of ours.
 *
 * `reference-server.ts http dual|legacy|modern questions|requests` prints `{"ready":true,"url":…}` and ends with its stdin.
 * `reference-server.ts stdio dual|legacy|modern questions|requests` speaks the protocol on stdin and stdout.
 */
import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AskingStyle } from './reference/asking-tools.ts'
import { createReferenceServer, type ReferenceServer } from './reference/create-reference-server.ts'
import { ReferenceState } from './reference/reference-state.ts'
import { type Eras, serveHttp } from './reference/serve-http.ts'

const [, , transport = 'http', given = 'dual', asking = 'questions'] = process.argv
const eras: Eras = given === 'legacy' || given === 'modern' ? given : 'dual'
const style: AskingStyle = asking === 'requests' ? asking : 'questions'

if (transport === 'stdio') await serveStandardStreams()
else {
  const url = await serveHttp(eras, style)
  console.log(JSON.stringify({ ready: true, url }))
  process.stdin.on('end', () => process.exit(0)).resume()
}

async function serveStandardStreams(): Promise<void> {
  const served = new Set<ReferenceServer>()
  const state: ReferenceState = new ReferenceState(() => {
    for (const { follow } of served) follow()
  })
  const create = (): McpServer => {
    const created = createReferenceServer(state, style)
    served.add(created)
    return created.server
  }
  if (eras === 'legacy') await create().connect(new StdioServerTransport())
  else serveStdio(create, { legacy: eras === 'dual' ? 'serve' : 'reject' })
}
