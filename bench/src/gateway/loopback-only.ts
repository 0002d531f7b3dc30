/** Loaded into peers before their own code: some can only listen on every interface, and nobody else should reach them. */
import { Server } from 'node:net'

const { listen } = Server.prototype

Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first, second] = args
  if (typeof first === 'number' && typeof second !== 'string') args.splice(1, 0, '127.0.0.1')
  else if (typeof first === 'object' && first !== null && 'port' in first && !('host' in first)) {
    args[0] = { ...first, host: '127.0.0.1' }
  }
  // The arguments are those of one of its many signatures.
  return (listen as (...all: unknown[]) => Server).apply(this, args)
} as typeof listen
