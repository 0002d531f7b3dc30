import { createNodeOfValue, formatProblem, ProblemList } from '@switchboard/config'
import type { JsonObject } from '@switchboard/protocol'
import { expect, test } from 'vitest'
import { encoderType } from '../../src/encoders/encoder-config.ts'
import { readEncoderConfig } from '../helpers/meaning-bench.ts'

function complain(written: JsonObject, env: Readonly<Record<string, string>> = {}): string {
  const problems = new ProblemList()
  const context = { problems, env, unresolved: 'refuse', baseDirectory: '/' } as const
  encoderType.read(createNodeOfValue(written), ['packs', 'memory', 'encoder'], context)
  return problems.list().map(formatProblem).join('\n')
}

test('an encoder is configured with few words', () => {
  expect(readEncoderConfig({ kind: 'ollama', model: 'nomic-embed-text' })).toMatchObject({
    kind: 'ollama',
    use: 'auto',
    batch: 32,
    timeout: 30_000,
    queryTimeout: 300,
    maxCharacters: 6_000,
  })
})

test.each([
  ['nothing', {}, 'the key "kind" is missing'],
  ['a kind that is none', { kind: 'olama', model: 'm' }, 'Did you mean "ollama"?'],
  ['no url where one is needed', { kind: 'openai', model: 'm' }, 'the key "url" is missing'],
  ['no model where one is needed', { kind: 'ollama' }, 'the key "model" is missing'],
  ['no folder of a model', { kind: 'onnx' }, 'the key "path" is missing'],
  [
    'a key of another kind',
    { kind: 'onnx', path: '/m', url: 'http://a' },
    'is for openai, ollama, tei, and this encoder is of the kind onnx',
  ],
  ['another protocol', { kind: 'tei', url: 'file:///etc' }, 'is no http: or https: URL'],
  ['a password in the url', { kind: 'tei', url: 'http://me:hunter2@a' }, 'which belongs into "key"'],
  ['a query in the url', { kind: 'tei', url: 'http://a/?key=hunter2' }, 'has a query'],
  ['a variable that is not set', { kind: 'tei', url: 'http://a', key: `\${NONE}` }, 'the variable NONE is not set'],
  ['a key with a line break', { kind: 'tei', url: 'http://a', key: 'a\nhunter2' }, 'no header may have'],
  ['a name in use that is none', { kind: 'tei', url: 'http://a', use: ['cod'] }, 'Did you mean "code"?'],
  ['an empty use', { kind: 'tei', url: 'http://a', use: [] }, 'is an empty list'],
  ['another use', { kind: 'tei', url: 'http://a', use: 'always' }, 'Expected "auto", or a list'],
  ['too many at once', { kind: 'tei', url: 'http://a', batch: 1_000 }, 'a whole number from 1 to 256'],
  ['a misspelt key', { kind: 'tei', url: 'http://a', dimension: 5 }, 'Did you mean "dimensions"?'],
])('%s is told', (_name, written, told) => {
  const said = complain(written)
  expect(said).toContain(told)
  expect(said).not.toContain('hunter2')
})

test('the key comes from the environment', () => {
  const problems = new ProblemList()
  const context = { problems, env: { KEY: 'sk-1' }, unresolved: 'refuse', baseDirectory: '/' } as const
  const written = { kind: 'openai', url: 'https://a/v1', model: 'm', key: `\${KEY}` }
  expect(encoderType.read(createNodeOfValue(written), [], context)?.value.key).toBe('sk-1')
})
