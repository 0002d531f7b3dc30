/** In place of a collector: takes whatever it is sent. */
import { createServer } from 'node:http'

export interface Sink extends AsyncDisposable {
  readonly url: string
}

export async function startSink(): Promise<Sink> {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
