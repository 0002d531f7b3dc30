/**
 * `node:http` and `node:https` without `import`, which reads all they export, and one of that is a whole browser's fetch and
 * WebSocket: 25 milliseconds and 10 MB for whoever starts (Node 26), and nobody here uses it. Types are imported as ever.
 */
const http = process.getBuiltinModule('node:http')

export const { createServer, get, request, STATUS_CODES } = http

type Client = Pick<typeof import('node:https'), 'Agent' | 'request'>

/** What speaks to that address. TLS is loaded only for one that needs it. */
export function clientFor({ protocol }: URL): Client {
  // The same but for the options of TLS, which it leaves alone.
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : (http as unknown as Client)
}
