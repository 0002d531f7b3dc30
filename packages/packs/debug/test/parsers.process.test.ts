/** Programs whose variables are called like secrets and are none: parsers have tokens and keys. */
import { expect, test } from 'vitest'
import { lineOf, useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 120_000

const NODE = `function parse(tokens) {
  let token = 79
  const nextToken = { kind: 'name', value: tokens[0] }
  const apiKey = 'key'
  console.log('token=' + token, 'secret: nothing', JSON.stringify({ token: tokens[0] }))
  return nextToken // here
}
parse(['a', 'if'])
`

const PYTHON = `def parse(tokens):
    token = 79
    next_token = {"kind": "name", "token": tokens[0]}
    key = "key"
    print("token=%d" % token)
    return next_token  # here
parse(["a", "if"])
`

test('a parser in Node is shown as it is, with the condition that the agent wrote', { timeout: LONG }, async () => {
  await bench.write('app.mjs', NODE)
  const line = lineOf(NODE, 'here')
  const condition = 'token === 79 && apiKey === "key"'
  const start = await bench.call('debug_start', {
    program: 'app.mjs',
    breakpoints: [{ path: 'app.mjs', line, condition }],
  })
  expect(start.text).toContain('token=79')
  expect(start.text).toContain('tokens=["a", "if"]')
  expect(start.text).toContain('nextToken={kind: "name", value: "a"}')
  expect(start.text).toContain('apiKey="key"')
  expect(start.text).toContain('token=79 secret: nothing {"token":"a"}')
  const wrong = 'token === nope && password === "hunter2!"'
  const refused = await bench.call('debug_probe', {
    program: 'app.mjs',
    points: [{ path: 'app.mjs', line, expressions: ['token'], condition: wrong }],
  })
  expect(String(refused.error.message)).toContain(wrong)
  const probe = await bench.call('debug_probe', {
    program: 'app.mjs',
    points: [{ path: 'app.mjs', line, expressions: ['token', 'tokens', 'nextToken.value'] }],
  })
  expect(probe.text).toContain('token=79 tokens=["a", "if"] nextToken.value="a"')
  const trace = await bench.call('debug_trace_function', { program: 'app.mjs', path: 'app.mjs', function: 'parse' })
  expect(trace.text).toContain('token=79')
  expect(JSON.stringify([start, refused, probe, trace])).not.toContain('[masked]')
})

test('a parser in Python is shown as it is', { timeout: LONG }, async () => {
  await bench.write('app.py', PYTHON)
  const line = lineOf(PYTHON, 'here')
  const start = await bench.call('debug_start', {
    program: 'app.py',
    breakpoints: [{ path: 'app.py', line, condition: 'token == 79' }],
  })
  expect(start.text).toContain('token=79')
  expect(start.text).toContain("tokens=['a', 'if']")
  expect(start.text).toContain("next_token={'kind': 'name', 'token': 'a'}")
  expect(JSON.stringify(start)).not.toContain('[masked]')
})

test('the value of a secret in the environment is shown nowhere', { timeout: LONG }, async () => {
  const text = `const word = process.env.DEPLOY_TOKEN
const list = [word, 'other']
console.log('sent', word)
console.log(list.length) // here
`
  await bench.write('app.mjs', text)
  const start = await bench.call('debug_start', {
    program: 'app.mjs',
    env: { DEPLOY_TOKEN: 'plain-looking' },
    breakpoints: [{ path: 'app.mjs', line: lineOf(text, 'here') }],
  })
  expect(start.text).toContain('list=["[masked]", "other"]')
  expect(JSON.stringify(start)).not.toContain('plain-looking')
})
