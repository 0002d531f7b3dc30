/** The echo server over Streamable HTTP: every POST is answered with one JSON body; there are no sessions. */
import { createServer } from 'node:http'
import { answerEcho } from './echo-answers.ts'

const era = process.argv[2] === 'modern' ? 'modern' : 'legacy'

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    request.resume()
    response.writeHead(405).end()
    return
  }
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const answer = answerEcho(body, era)
    if (answer === undefined) response.writeHead(202).end()
    else {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) }
      response.writeHead(200, headers).end(answer)
    }
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`)
  }
})
// Its stdin is held by the benchmark, whose end is ours.
process.stdin.resume().on('end', () => process.exit(0))
