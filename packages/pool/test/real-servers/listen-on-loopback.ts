/**
 * Preloaded into servers that can only be told a port: they would listen on every interface. Whatever listens is
 * bound to 127.0.0.1, and the port that was really given is announced, so `PORT=0` works too.
 */
import net from 'node:net'

const listen = net.Server.prototype.listen

function listenOnLoopback(this: net.Server, port: unknown, ...rest: unknown[]): net.Server {
  this.once('listening', () => {
    const address = this.address()
    if (address !== null && typeof address === 'object') console.error(`loopback port ${address.port}`)
  })
  const onListening = rest.findLast((argument) => typeof argument === 'function')
  // The overloads of `listen` cannot be told apart from here; this is the one that names a host.
  return Reflect.apply(listen, this, [Number(port), '127.0.0.1', ...(onListening === undefined ? [] : [onListening])])
}

net.Server.prototype.listen = listenOnLoopback
