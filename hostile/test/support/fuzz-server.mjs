// A server that mixes what no server should send into its answers: the same for the same seed. Every request is answered
// properly in the end, so that a test can tell that nothing of it was lost.

const text = (value) => JSON.stringify(value)

function createRandom(seed) {
  let state = seed >>> 0
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, pick: (items) => items[below(items.length)] }
}

const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e999',
  '-1e400',
  '12345678901234567890',
  '0.1',
  '""',
  '"text"',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"\\u202e\\udb40\\udc41"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":null}',
  '{"__proto__":{"a":1}}',
  '{"toJSON":"x"}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"length":-1}',
  '{"then":true}',
]
const METHODS = [
  'notifications/progress',
  'notifications/message',
  'notifications/cancelled',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/updated',
  'notifications/initialized',
  'notifications/tasks/status',
  'notifications/elicitation/complete',
  'notifications/roots/list_changed',
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'ping',
  'tools/call',
  'initialize',
  '',
  '__proto__',
  'toString',
]
const MEMBERS = [
  'progressToken',
  'progress',
  'total',
  'message',
  'level',
  'data',
  'logger',
  'requestId',
  'reason',
  'uri',
  '_meta',
  'mode',
  'url',
  'elicitationId',
  'requestedSchema',
  'messages',
  'taskId',
  'status',
  'task',
  'content',
  'structuredContent',
  'isError',
  'resultType',
  'inputRequests',
  'requestState',
  'tools',
  'nextCursor',
  'ttlMs',
  'cacheScope',
  'code',
  'error',
  'ok',
  'type',
  'hint',
  'executed',
]

/** A value as text, nested at random. */
function createValue(random, depth = 0) {
  const kind = random.below(depth > 4 ? 1 : 4)
  if (kind <= 1) return random.pick(SCALARS)
  const count = random.below(4)
  if (kind === 2) return `[${Array.from({ length: count }, () => createValue(random, depth + 1)).join(',')}]`
  const members = Array.from({ length: count }, () => `${text(random.pick(MEMBERS))}:${createValue(random, depth + 1)}`)
  return `{${members.join(',')}}`
}

function createParams(random) {
  if (random.below(4) === 0) return random.pick(SCALARS)
  return `{${Array.from({ length: 1 + random.below(4) }, () => `${text(random.pick(MEMBERS))}:${createValue(random)}`).join(',')}}`
}

/** Never the id of a request that waits: then its answer would be this one, and rightly so. */
function createGarbage(random) {
  const id = random.pick(['"no"', 'null', '1e9', '{}', '[]', 'true', '-1', '0.5', `"${'i'.repeat(5_000)}"`])
  const method = random.below(8) === 0 ? createValue(random) : text(random.pick(METHODS))
  switch (random.below(9)) {
    case 0:
      return `{"jsonrpc":"2.0","method":${method},"params":${createParams(random)}}`
    case 1:
      return `{"jsonrpc":"2.0","method":${method}}`
    case 2:
      return `{"jsonrpc":"2.0","id":${id},"method":${method},"params":${createParams(random)}}`
    case 3:
      return `{"jsonrpc":"2.0","id":${id},"result":${createValue(random)}}`
    case 4:
      return `{"jsonrpc":"2.0","id":${id},"error":${createValue(random)}}`
    case 5:
      return createValue(random)
    case 6: {
      const whole = `{"jsonrpc":"2.0","method":${method},"params":${createParams(random)}}`
      return whole.slice(0, random.below(whole.length))
    }
    case 7:
      return `[${Array.from({ length: random.below(4) }, () => createValue(random)).join(',')}]`
    default:
      return '{'.repeat(random.below(3_000)) + random.pick(SCALARS)
  }
}

const answerWith = (id, result) => `{"jsonrpc":"2.0","id":${text(id)},"result":${result}}`

/** What a request is answered with: mostly something odd that is still an answer to it. */
function createAnswer(random, { id, method, params }) {
  const odd = random.below(3) > 0
  switch (method) {
    case 'initialize': {
      const more = odd ? `,${text(random.pick(MEMBERS))}:${createValue(random)}` : ''
      const serverInfo =
        random.below(2) === 0
          ? '{"name":"fuzz","version":"1"}'
          : `{"name":"fuzz","version":"1","icons":${createValue(random)}}`
      return answerWith(
        id,
        `{"protocolVersion":"2025-11-25","serverInfo":${serverInfo},"capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{}${more}}}`,
      )
    }
    case 'tools/list': {
      const entries = odd
        ? Array.from({ length: 5 }, () =>
            random.pick([
              createValue(random),
              `{"name":${createValue(random)},"inputSchema":${createValue(random)}}`,
              `{"name":"t${random.below(9)}","inputSchema":${createValue(random)},"outputSchema":${createValue(random)},"annotations":${createValue(random)},"description":${createValue(random)}}`,
            ]),
          )
        : []
      return answerWith(id, `{"tools":[{"name":"x","inputSchema":{"type":"object"}}${['', ...entries].join(',')}]}`)
    }
    case 'resources/list':
      return answerWith(
        id,
        `{"resources":[{"uri":"f:a","name":"a"},{"uri":${createValue(random)}},${createValue(random)}]}`,
      )
    case 'resources/templates/list':
      return answerWith(
        id,
        `{"resourceTemplates":[{"uriTemplate":"f:{+a}"},{"uriTemplate":${createValue(random)}},${createValue(random)}]}`,
      )
    case 'prompts/list':
      return answerWith(
        id,
        `{"prompts":[{"name":"p"},{"name":${createValue(random)},"arguments":${createValue(random)}},${createValue(random)}]}`,
      )
    default: {
      const kind = random.below(4)
      if (kind === 0) return `{"jsonrpc":"2.0","id":${text(id)},"error":${createParams(random)}}`
      if (kind === 1)
        return `{"jsonrpc":"2.0","id":${text(id)},"error":{"code":${random.pick(['-32042', '-32001', '1e999', '0'])},"message":${createValue(random)},"data":${createValue(random)}}}`
      const result = createParams(random)
      return answerWith(
        id,
        result.startsWith('{') ? result : `{"content":[{"type":"text","text":${text(String(params?.name))}}]}`,
      )
    }
  }
}

export function createFuzzManner(seed) {
  const random = createRandom(seed)
  return (message) => {
    const garbage = Array.from({ length: random.below(12) }, () => createGarbage(random))
    if (message.id === undefined || message.method === undefined) return garbage
    return [...garbage, createAnswer(random, message), ...(random.below(3) === 0 ? [createGarbage(random)] : [])]
  }
}
