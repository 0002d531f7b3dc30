/**
 * Another user of the machine, with a shell and nothing else: reads what to do from its arguments, runs as uid 65534, and
 * prints what it got, a line of JSON for each try. Plain JavaScript without imports of ours: it may read no clone.
 */
import { request } from 'node:http'
import { connect } from 'node:net'

const [base, ...tries] = process.argv.slice(1)
const { hostname, port, host } = new URL(base)

/** As a client sends it; `token` is shown when it is given. */
function ask({ method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
        // A stream that opened is enough to know.
        if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode, text }))
    })
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode, text: '' })
    })
    outgoing.on('error', (error) => resolve({ status: 0, text: error.message }))
    outgoing.end(body)
  })
}

/** Sends and is gone, in one of the ways in which a socket can be left: there is nobody any more whose it could be. */
function hitAndRun({ path, headers = {}, body = '', leave }) {
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers })
  const text = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(text, () => {
        if (leave === 'reset') socket.resetAndDestroy()
        else if (leave === 'half') socket.end()
        else socket.destroy()
      }),
    )
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
      socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ status: Number(received.slice(9, 12)), text: received }))
  })
}

for (const text of tries) {
  const { times = 1, ...one } = JSON.parse(text)
  for (let time = 0; time < times; time++) {
    const answer = await (one.leave === undefined ? ask(one) : hitAndRun(one))
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
}
process.stdout.write(`${JSON.stringify({ uid: process.getuid() })}\n`)
