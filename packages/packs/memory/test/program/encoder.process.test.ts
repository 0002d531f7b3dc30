/** Search by meaning as a person has it: the bundled program, its daemon, and the file of its configuration. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@switchboard/protocol'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  startProgram,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EncoderServer, startEncoderServer } from '../helpers/encoder-server.ts'
import { writeOnnxModel } from '../helpers/onnx-model.ts'
import { WORD_PIECES, wordPieceTokenizer } from '../helpers/small-tokenizer.ts'

const RUNTIME = fileURLToPath(new URL('../../../../../.toolchain/onnx', import.meta.url))
const isMissing = !existsSync(`${RUNTIME}/node_modules/onnxruntime-node`)

let home: TemporaryDirectory
let project: TemporaryDirectory
let server: EncoderServer

beforeEach(async () => {
  home = await createTemporaryDirectory()
  project = await createTemporaryDirectory()
  server = await startEncoderServer()
})

afterEach(async () => {
  await run(['down'])
  await expectNoProcessLeft(home.path, 10_000)
  await server[Symbol.asyncDispose]()
  await project.remove()
  await home.remove()
})

async function run(argv: readonly string[]): Promise<string> {
  const env = { SWITCHBOARD_HTTP_PORT: '0', ENCODER_KEY: 'sk-hidden-1' }
  const program = startProgram(argv, { home: home.path, env, cwd: project.path, stdin: 'ended' })
  expect(await program.ended, program.err()).toBe(0)
  return program.out()
}

const configure = (encoder: JsonObject) =>
  writeFile(home.file('config.json'), JSON.stringify({ mcpServers: {}, packs: { memory: { encoder } } }))

const call = async (tool: string, args: JsonObject): Promise<string> =>
  JSON.stringify(JSON.parse(await run(['call', tool, JSON.stringify(args), '--json'])))

/** By a search whose words the text does not have. */
const waitUntilFound = (query: string, summary: string) =>
  waitFor(async () => (await call('checkpoint_search', { query })).includes(summary), {
    timeout: 60_000,
    interval: 100,
  })

test('an encoder is used, exchanged while the daemon runs, and its key is seen nowhere', async () => {
  await configure({
    kind: 'openai',
    url: `${server.url}/v1`,
    model: 'words',
    key: `\${ENCODER_KEY}`,
    queryTimeout: '10s',
  })
  await run(['up'])
  await call('checkpoint_save', { summary: 'the automobile crashed' })
  await waitUntilFound('car', 'the automobile crashed')
  expect(server.asked.at(-1)?.authorization).toBe('Bearer sk-hidden-1')
  expect(await run(['status', '--json'])).not.toContain('sk-hidden-1')
  expect(await run(['logs', '--json'])).not.toContain('sk-hidden-1')
  server.setDimension(32)
  await configure({ kind: 'ollama', url: server.url, model: 'others', queryTimeout: '10s' })
  await waitFor(() =>
    server.asked.some(({ path, texts }) => path === '/api/embed' && texts.join().includes('automobile')),
  )
  await waitUntilFound('car', 'the automobile crashed')
})

test.skipIf(isMissing)(
  'a model of a folder runs beside the bundle (needs onnxruntime-node, which npm test installs)',
  async () => {
    const folder = home.file('models', 'small')
    await mkdir(folder, { recursive: true })
    const car = WORD_PIECES.indexOf('car')
    const rows = WORD_PIECES.map((piece, id) =>
      WORD_PIECES.map((_, at) => (at === (piece === 'auto' ? car : id) ? 1 : 0)),
    )
    await writeOnnxModel(folder, { rows, output: 'tokens', inputs: ['attention_mask'] }, wordPieceTokenizer)
    await configure({ kind: 'onnx', path: folder, runtime: RUNTIME, queryTimeout: '10s' })
    await run(['up'])
    await call('checkpoint_save', { summary: 'auto' })
    await waitUntilFound('car', '"matched":"meaning"')
  },
)
