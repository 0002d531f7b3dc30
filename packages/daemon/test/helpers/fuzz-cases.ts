/** Messages that no honest client sends, the same for the same seed, each with what has to come of it. */
import type { JsonObject } from '@switchboard/protocol'
import { META_KEY } from '@switchboard/protocol/modern'
import type { SeededRandom } from '@switchboard/testkit'

export interface FuzzCase {
  /** One line: what is sent. */
  readonly text: string
  /**
   * error: exactly one error without an id. id: exactly one response with this id. none: nothing. any: whatever is
   * proper.
   */
  readonly expected: 'error' | 'none' | 'any' | { readonly id: string }
}

const TOOLS = ['fx_echo', 'fx_add', 'fx_nobody', '', 'constructor', '__proto__', 'fx_echo\u0000', 'x'.repeat(3_000)]
const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'ping',
  'tasks/get',
  'server/discover',
  'no/such/method',
  '',
  'toString',
  '__proto__',
]
const NUMBERS = ['1e400', '-1e400', '1e-400', '9'.repeat(400), '-0', '0.1', '18446744073709551616', '1E+308']
const VALUES = ['null', 'true', '[]', '{}', '""', '"text"', '-1', '[[[]]]', '{"a":{"b":[1]}}', '"\\ud800"', '"\\u0000"']
/** Of characters in sources, without the ends of lines: on stdio they would make two messages of one. */
const BYTES = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).filter((c) => !/[\n\r]/.test(c))

/** `prefix` keeps the ids of one source apart from those of another. */
export function createFuzzCases(random: SeededRandom, prefix: string): () => FuzzCase {
  let count = 0
  const makers = [
    createNoise,
    createTruncated,
    createMutated,
    createNested,
    createHugeNumber,
    createBatch,
    createScalar,
    createMisshapen,
    createRequest,
    createRequest,
    createModern,
    createNotification,
    createStrayResponse,
    createHandshake,
  ]
  return () => random.pick(makers)(random, `${prefix}${count++}`)
}

type Maker = (random: SeededRandom, id: string) => FuzzCase

const createNoise: Maker = (random) => {
  const noise = Array.from({ length: random.below(200) }, () => random.pick(BYTES)).join('')
  // A letter first: what is only digits or blanks could be a message, or none at all.
  return { text: `x${noise}`, expected: 'error' }
}

const createTruncated: Maker = (random, id) => {
  const whole = JSON.stringify(createHonest(random, id))
  return { text: whole.slice(0, 1 + random.below(whole.length - 1)), expected: 'error' }
}

const createMutated: Maker = (random, id) => {
  const text = JSON.stringify(createHonest(random, id))
  const at = random.below(text.length)
  return { text: text.slice(0, at) + random.pick(BYTES) + text.slice(at + 1 + random.below(3)), expected: 'any' }
}

const createNested: Maker = (random, id) => {
  const depth = random.pick([129, 130, 200, 1_000, 10_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ])
  const value = random.below(2) === 0 ? open.repeat(depth) : `${open.repeat(depth)}1${close.repeat(depth)}`
  const request = `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"fx_echo","arguments":${value}}}`
  return { text: random.below(2) === 0 ? value : request, expected: 'error' }
}

const createHugeNumber: Maker = (random, id) => {
  const number = random.pick(NUMBERS)
  const asArgument = `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"fx_add","arguments":{"a":${number},"b":1}}}`
  if (random.below(2) === 0) return { text: asArgument, expected: { id } }
  return { text: `{"jsonrpc":"2.0","id":${number},"method":"ping"}`, expected: 'any' }
}

const createBatch: Maker = (random, id) => {
  if (random.below(4) === 0) return { text: '[]', expected: 'error' }
  const size = random.pick([1, 2, 5, 150])
  const members = Array.from({ length: size }, (_, index) =>
    random.below(3) === 0 ? random.pick(VALUES) : JSON.stringify(createHonest(random, `${id}-${index}`)),
  )
  return { text: `[${members.join(',')}]`, expected: 'any' }
}

const createScalar: Maker = (random) => ({
  text: random.pick(['1', 'null', 'true', '"text"', '1.5e3', ...NUMBERS]),
  expected: 'error',
})

/** Objects, but not JSON-RPC. */
const createMisshapen: Maker = (random, id) => {
  const value = () => random.pick(VALUES)
  return random.pick<FuzzCase>([
    { text: `{"jsonrpc":"2.0","id":"${id}"}`, expected: { id } },
    { text: `{"jsonrpc":"2.0","id":"${id}","method":${random.pick(['1', 'null', '{}', '[]'])}}`, expected: { id } },
    { text: `{"jsonrpc":"2.0","id":${random.pick(['true', '{}', '[]', 'null'])},"method":"ping"}`, expected: 'error' },
    { text: `{"id":"${id}","method":"tools/call","params":${value()}}`, expected: { id } },
    { text: `{"jsonrpc":${value()},"id":"${id}","method":"tools/list","params":${value()}}`, expected: { id } },
    // An answer, if a bad one, to what nobody asked: answers are not answered.
    { text: `{"jsonrpc":"2.0","id":"${id}","result":${random.pick(['1', 'null', '"x"'])}}`, expected: 'none' },
    { text: `{"__proto__":${value()},"constructor":${value()}}`, expected: 'error' },
    { text: `{"jsonrpc":"2.0","id":"${id}","id":"${id}","method":"ping","method":"ping"}`, expected: { id } },
  ])
}

/** JSON-RPC, but nonsense. */
const createRequest: Maker = (random, id) => {
  const names = ['name', 'uri', 'level', 'cursor', 'arguments', 'ref', 'argument', '_meta', 'taskId', '__proto__', 'x']
  const members = Array.from({ length: random.below(4) }, () => {
    const name = random.pick(names)
    const isName = name === 'name' && random.below(2) === 0
    return `${JSON.stringify(name)}:${isName ? JSON.stringify(random.pick(TOOLS)) : random.pick([...VALUES, ...NUMBERS])}`
  })
  const params = random.below(5) === 0 ? random.pick(VALUES) : `{${members.join(',')}}`
  const method = JSON.stringify(random.pick(METHODS))
  return { text: `{"jsonrpc":"2.0","id":"${id}","method":${method},"params":${params}}`, expected: { id } }
}

/** An envelope that is broken, or whole around nonsense. */
const createModern: Maker = (random, id) => {
  const version = random.pick(['"2026-07-28"', '"2026-07-28"', '"2099-01-01"', '"2025-11-25"', ...VALUES])
  const capabilities = random.pick(['{}', '{}', ...VALUES])
  const meta = `{"${META_KEY.protocolVersion}":${version},"${META_KEY.clientCapabilities}":${capabilities}}`
  const state = random.below(4) === 0 ? `,"requestState":${random.pick([...VALUES, '"sb1.none"'])}` : ''
  const answers = random.below(4) === 0 ? `,"inputResponses":${random.pick(VALUES)}` : ''
  const params = `{"name":${JSON.stringify(random.pick(TOOLS))},"_meta":${meta}${state}${answers}}`
  const method = JSON.stringify(random.pick(METHODS))
  return { text: `{"jsonrpc":"2.0","id":"${id}","method":${method},"params":${params}}`, expected: { id } }
}

const createNotification: Maker = (random) => {
  const method = random.pick([
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'x',
  ])
  const params = random.pick([...VALUES, '{"requestId":"nobody"}', '{"requestId":{}}', '{"progressToken":1}'])
  return { text: `{"jsonrpc":"2.0","method":"${method}","params":${params}}`, expected: 'none' }
}

const createStrayResponse: Maker = (random, id) => ({
  text: random.pick([
    `{"jsonrpc":"2.0","id":"${id}","result":{}}`,
    `{"jsonrpc":"2.0","id":"sb-1","result":{"action":"accept"}}`,
    `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}`,
  ]),
  expected: 'none',
})

/** Never a good one: over HTTP that would open a session each time. */
const createHandshake: Maker = (random, id) => {
  const version = random.pick(['1', 'null', '[]', '{}'])
  const params = random.pick([
    ...VALUES.filter((value) => value !== '{}'),
    `{"protocolVersion":${version},"capabilities":{},"clientInfo":{"name":"x","version":"1"}}`,
  ])
  return { text: `{"jsonrpc":"2.0","id":"${id}","method":"initialize","params":${params}}`, expected: { id } }
}

function createHonest(random: SeededRandom, id: string): JsonObject {
  const params = { name: random.pick(['fx_echo', 'fx_add']), arguments: { text: 'ünïcödé "quoted"', a: 1, b: [2] } }
  return { jsonrpc: '2.0', id, method: random.pick(['tools/call', 'tools/list', 'ping']), params }
}
