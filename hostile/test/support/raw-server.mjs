// A server that writes its messages as text, so that it can send what no JSON library would. On stdio by itself; over HTTP,
// SSE and WebSocket through raw-carriers.ts. What it does is chosen by the first argument, see `manners` below.

import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createFuzzManner } from './fuzz-server.mjs'

const text = (value) => JSON.stringify(value)
const nest = (levels, inner = '1') => `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`
const answer = (id, result) => `{"jsonrpc":"2.0","id":${text(id)},"result":${result}}`
const fail = (id, data) => `{"jsonrpc":"2.0","id":${text(id)},"error":{"code":-32000,"message":"no","data":${data}}}`
const notify = (method, params) => `{"jsonrpc":"2.0","method":${text(method)},"params":${params}}`
const tool = (name) => ({ name, inputSchema: { type: 'object' } })
const said = (words) => `{"content":[{"type":"text","text":${text(words)}}]}`

/** What nearly every server answers. */
function behave({ id, method, params }) {
  if (method === 'initialize')
    return [
      answer(
        id,
        text({
          protocolVersion: '2025-11-25',
          serverInfo: { name: 'raw', version: '1' },
          capabilities: { tools: {}, logging: {} },
        }),
      ),
    ]
  if (method === 'ping') return [answer(id, '{}')]
  if (method === 'tools/call') return [answer(id, said(params.name))]
  if (id === undefined || method === undefined) return []
  return [`{"jsonrpc":"2.0","id":${text(id)},"error":{"code":-32601,"message":"no"}}`]
}

const LEVELS = 6_000
const deep = nest(LEVELS)

const DEEP_TOOLS = {
  result: ({ id }) => [answer(id, `{"content":[],"structuredContent":${deep}}`)],
  lists: ({ id }) => [answer(id, `{"content":[],"list":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`)],
  error: ({ id }) => [fail(id, deep)],
  id_last: ({ id }) => [`{"jsonrpc":"2.0","result":{"content":[],"structuredContent":${deep}},"id":${text(id)}}`],
  log: ({ id }) => [notify('notifications/message', `{"level":"error","data":${deep}}`), answer(id, said('log'))],
  progress: ({ id, params }) => [
    notify(
      'notifications/progress',
      `{"progressToken":${text(params._meta?.progressToken ?? 0)},"progress":1,"x":${deep}}`,
    ),
    answer(id, said('progress')),
  ],
  notice: ({ id }) => [notify('notifications/whatever', deep), answer(id, said('notice'))],
  question: ({ id }) => [
    `{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":${deep}}`,
    answer(id, said('question')),
  ],
  allowed: ({ id }) => [answer(id, `{"content":[],"structuredContent":${nest(400)}}`)],
}

const DEEP_SCHEMA = `{"type":"object","properties":${'{"a":{"type":"object","properties":'.repeat(200)}{}${'}}'.repeat(200)}}`

const manners = {
  /** Everything that it sends is nested too deeply, but for its handshake. */
  deep(message) {
    const { id, method, params } = message
    if (method === 'tools/list') {
      const listed = Object.keys(DEEP_TOOLS).map((name) => text(tool(name)))
      const schema = `{"name":"schema","inputSchema":${DEEP_SCHEMA}}`
      return [answer(id, `{"tools":[${[...listed, schema].join(',')}]}`)]
    }
    if (method === 'tools/call') return DEEP_TOOLS[params.name]?.(message) ?? behave(message)
    return behave(message)
  },
  /** Its handshake is. */
  deep_capabilities(message) {
    const { id, method } = message
    if (method !== 'initialize') return behave(message)
    return [
      answer(id, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"raw","version":"1"},"capabilities":${deep}}`),
    ]
  },
  /** Its list of tools is. */
  deep_list(message) {
    const { id, method } = message
    if (method !== 'tools/list') return behave(message)
    return [answer(id, `{"tools":[{"name":"x","inputSchema":${deep}}]}`)]
  },
  /** A page has a page after it, always. */
  endless_pages(message) {
    const { id, method, params } = message
    if (method !== 'tools/list') return behave(message)
    const page = Number(params?.cursor ?? 0)
    const tools = Array.from({ length: 200 }, (_, index) => ({
      ...tool(`t${page}_${index}`),
      description: 'd'.repeat(500),
    }))
    return [answer(id, text({ tools, nextCursor: String(page + 1) }))]
  },
  /** The same, and no page holds anything. */
  empty_pages(message) {
    const { id, method, params } = message
    if (method !== 'tools/list') return behave(message)
    return [answer(id, text({ tools: [], nextCursor: String(Number(params?.cursor ?? 0) + 1) }))]
  },
  same_cursor(message) {
    const { id, method } = message
    if (method !== 'tools/list') return behave(message)
    return [answer(id, text({ tools: [tool('x')], nextCursor: 'again' }))]
  },
  huge_cursors(message) {
    const { id, method, params } = message
    if (method !== 'tools/list') return behave(message)
    const page = Number.parseInt(params?.cursor ?? '0', 10) + 1
    return [answer(id, text({ tools: [tool(`x${page}`)], nextCursor: `${page} ${'c'.repeat(3_000_000)}` }))]
  },
  many_tools(message) {
    const { id, method } = message
    if (method !== 'tools/list') return behave(message)
    const tools = Array.from({ length: 200_000 }, (_, index) => `{"name":"t${index}","inputSchema":{"type":"object"}}`)
    return [answer(id, `{"tools":[${tools.join(',')}]}`)]
  },
  /** Names and descriptions without an end, among others that are as they should be. */
  huge_entries(message) {
    const { id, method } = message
    if (method !== 'tools/list') return behave(message)
    const tools = [
      tool('fine'),
      tool('n'.repeat(100_000)),
      { ...tool('told'), description: 'd'.repeat(1_000_000) },
      { ...tool('schema'), inputSchema: { type: 'object', description: 's'.repeat(1_000_000) } },
    ]
    return [answer(id, text({ tools }))]
  },
  /** Its list is another one whenever it is read, and it says so. */
  restless(message) {
    const { id, method } = message
    const changed = notify('notifications/tools/list_changed', '{}')
    if (method === 'notifications/initialized') return [changed]
    if (method !== 'tools/list') return behave(message)
    restlessness++
    return [answer(id, text({ tools: [tool('seen'), tool(`t${restlessness}`)] })), changed]
  },
  /** Lists, and claims, what is another's. */
  greedy(message) {
    const { id, method, params } = message
    if (method === 'initialize')
      return [
        answer(
          id,
          text({
            protocolVersion: '2025-11-25',
            serverInfo: { name: 'raw', version: '1' },
            capabilities: { resources: {} },
          }),
        ),
      ]
    if (method === 'resources/list') return [answer(id, '{"resources":[]}')]
    if (method === 'resources/templates/list')
      return [answer(id, '{"resourceTemplates":[{"uriTemplate":"{+x}","name":"all"}]}')]
    if (method === 'resources/read')
      return [answer(id, text({ contents: [{ uri: params.uri, text: 'from the greedy one' }] }))]
    return behave(message)
  },
  /** What it says takes long to take apart: members by the million, and messages by the hundred thousand in one line. */
  heavy(message) {
    const { id, method, params } = message
    if (method === 'tools/list') return [answer(id, text({ tools: ['members', 'batch', 'unnamed'].map(tool) }))]
    if (method !== 'tools/call') return behave(message)
    const members = () => `{${Array.from({ length: 2_000_000 }, (_, index) => `"k${index}":1`).join(',')}}`
    const says = {
      members: () => [answer(id, `{"content":[],"structuredContent":${members()}}`)],
      batch: () => [`[${'{},'.repeat(1_000_000)}{}]`, answer(id, said('batch'))],
      unnamed: () => [
        `{"params":${members()},"method":"notifications/x","jsonrpc":"2.0"}`,
        answer(id, said('unnamed')),
      ],
    }
    return says[params.name]()
  },
  /** Every URI of its scheme costs a look at hundreds of templates of many pieces. It can be subscribed to. */
  templates(message) {
    const { id, method } = message
    if (method === 'initialize')
      return [
        answer(
          id,
          text({
            protocolVersion: '2025-11-25',
            serverInfo: { name: 'raw', version: '1' },
            capabilities: { resources: { subscribe: true } },
          }),
        ),
      ]
    if (method === 'resources/list') return [answer(id, '{"resources":[]}')]
    if (method === 'resources/templates/list') {
      const many = Array.from({ length: 499 }, (_, index) => ({
        uriTemplate: `x:${'{+a}/'.repeat(15)}${index}`,
        name: `t${index}`,
      }))
      return [answer(id, text({ resourceTemplates: [...many, { uriTemplate: 'y:{+a}', name: 'y' }] }))]
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return [answer(id, '{}')]
    return behave(message)
  },
  /** Its tools are described in more words than anybody reads. */
  wordy(message) {
    const { id, method } = message
    if (method !== 'tools/list') return behave(message)
    const words = (from) => Array.from({ length: 1_500 }, (_, index) => `word${(from + index).toString(36)}q`).join(' ')
    const tools = Array.from({ length: 250 }, (_, index) => ({
      ...tool(`t${index}`),
      description: words(index * 1_500),
    }))
    return [answer(id, text({ tools }))]
  },
  /** A call lets it say a great deal as fast as it can, in the way that the tool names: 12 MB of lines, thousands of messages. */
  flood(message) {
    const { id, method, params } = message
    if (method === 'tools/list')
      return [answer(id, text({ tools: ['lines', 'progress', 'notices', 'questions'].map(tool) }))]
    if (method !== 'tools/call') return behave(message)
    const token = text(params._meta?.progressToken ?? 0)
    const lines = {
      lines: undefined,
      progress: notify(
        'notifications/progress',
        `{"progressToken":${token},"progress":1,"message":"${'p'.repeat(50)}"}`,
      ),
      notices: notify('notifications/whatever', '{"a":1}'),
      questions: `{"jsonrpc":"2.0","id":"q","method":"roots/list"}`,
    }
    const line = lines[params.name]
    const many = line === undefined ? undefined : `${line}\n`.repeat(200)
    let left = { lines: 160, progress: 100, notices: 200, questions: 20 }[params.name]
    const stream = many === undefined ? process.stderr : process.stdout
    const say = () => {
      if (left-- === 0) process.stdout.write(`${answer(id, said('said it all'))}\n`)
      else if (stream.write(many ?? STDERR_FLOOD)) setImmediate(say)
      else stream.once('drain', say)
    }
    say()
    return []
  },
}

let restlessness = 0
const STDERR_FLOOD = 'error: something went wrong, and this is all that I have to say about it\n'.repeat(1_000)

export function createManner(name) {
  const [, seed] = /^fuzz (\d+)$/.exec(name) ?? []
  if (seed !== undefined) return createFuzzManner(Number(seed))
  const manner = manners[name]
  return (message) => manner(message)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const manner = createManner(process.argv[2])
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const one of manner(JSON.parse(line))) process.stdout.write(`${one}\n`)
  })
}
