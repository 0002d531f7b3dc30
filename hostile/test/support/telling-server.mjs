// A server that tells everybody what it was given: on stderr, in its log messages, in its errors.
import { createInterface } from 'node:readline'

const names = (process.env.PLANTED ?? '').split(',')
const all = names.map((name) => `${name}=${process.env[name]}`)
/** Without the names that would give them away. */
const bare = [
  ...names.map((name) => process.env[name]),
  ...process.argv.slice(2).map((word) => word.replace(/^[^=]*=/, '')),
]
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

process.stderr.write(`started as ${process.argv.slice(2).join(' ')}\n${all.join('\n')}\n`)
process.stderr.write(`bare ${bare.join(' ')}\n${JSON.stringify(bare)}\n`)
process.stderr.write(`${JSON.stringify(Object.fromEntries(names.map((name) => [name, process.env[name]])))}\n`)

const empty = { type: 'object' }
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'telling', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: ['say', 'refuse', 'leave'].map((name) => ({ name, inputSchema: empty })) }),
  'tools/call': ({ name }) => {
    if (name === 'leave') {
      process.stderr.write(`gone with ${all.join(' ')} and ${bare.join(', ')}\n`)
      process.exit(3)
    }
    for (const data of [all.join(' '), Object.fromEntries(names.map((own) => [own, process.env[own]]))])
      say({ method: 'notifications/message', params: { level: 'error', data } })
    for (const data of [bare.join(' '), bare])
      say({ method: 'notifications/message', params: { level: 'error', data } })
    if (name === 'refuse') throw new Error(`refused: ${all.join(' ')} ${bare.join(' ')}`)
    return { content: [{ type: 'text', text: 'said' }] }
  },
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  try {
    const answer = answers[method]
    if (answer === undefined) throw new Error(method)
    say({ id, result: answer(params) })
  } catch (error) {
    say({ id, error: { code: -32000, message: error.message } })
  }
})
