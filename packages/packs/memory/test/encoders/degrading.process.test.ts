/** An encoder that fails, as an agent sees it: through the tools of the pack. */
import { waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type EncoderServer, type Fault, startEncoderServer } from '../helpers/encoder-server.ts'
import { readEncoderConfig } from '../helpers/meaning-bench.ts'
import { type MemoryBench, openMemoryBench } from '../helpers/memory-bench.ts'

const configFor = (server: EncoderServer) => ({
  encoder: readEncoderConfig({ kind: 'ollama', url: server.url, model: 'words', timeout: '2s', queryTimeout: '300ms' }),
})

const save = (bench: MemoryBench, summary: string) => bench.call('checkpoint_save', { summary }, bench.folder)
const search = (bench: MemoryBench, query: string) => bench.call('checkpoint_search', { query }, bench.folder)

/** What means the same is found, and nobody has anything to say about it. */
async function waitUntilFoundByMeaning(bench: MemoryBench, query: string, summary: string): Promise<void> {
  await waitFor(async () => {
    const { data, text } = await search(bench, query)
    expect(data).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ summary })]) })
    expect(data.note).toBeUndefined()
    return text.includes(summary)
  })
}

test('a checkpoint is found by what it means', async () => {
  await using server = await startEncoderServer()
  await using bench = await openMemoryBench({ config: configFor(server) })
  await save(bench, 'the automobile crashed')
  await waitUntilFoundByMeaning(bench, 'car collided', 'the automobile crashed')
  const { data } = await search(bench, 'car collided')
  expect(data).toMatchObject({ results: [{ matched: 'meaning' }] })
})

const FAULTS: readonly (readonly [string, Fault | 'down', string])[] = [
  ['is down', 'down', 'cannot be reached'],
  ['never answers', { kind: 'silent' }, 'did not answer within 300 ms'],
  ['begins an answer that never ends', { kind: 'endless', pace: 'drip' }, 'did not answer within 300 ms'],
  ['answers garbage', { kind: 'body', body: '<html>busy</html>' }, 'answered something that is no JSON'],
]

test.each(FAULTS)(
  'with an encoder that %s saves succeed, search goes by words and says so, and recovers by itself',
  async (_name, fault, told) => {
    await using server = await startEncoderServer()
    await using bench = await openMemoryBench({ config: configFor(server) })
    await save(bench, 'the automobile crashed')
    await waitUntilFoundByMeaning(bench, 'car', 'the automobile crashed')
    if (fault === 'down') await server.stop()
    else server.fail(fault)
    expect(await save(bench, 'another automobile')).toMatchObject({ text: expect.stringContaining('Saved') })
    const { data, text } = await search(bench, 'automobile today')
    expect(data.results).toHaveLength(2)
    expect(data.note).toContain(`Searched by words alone: the encoder ${told}`)
    expect(text).toContain('Searched by words alone')
    if (fault === 'down') await server.start()
    else server.fail({ kind: 'none' })
    await waitUntilFoundByMeaning(bench, 'a car of tomorrow', 'another automobile')
  },
)

test('a secret that is saved does not reach the encoder', async () => {
  await using server = await startEncoderServer()
  await using bench = await openMemoryBench({ config: configFor(server) })
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
  await save(bench, `the automobile has the token ${secret}`)
  await waitFor(() => server.texts().some((text) => text.includes('automobile')))
  expect(server.texts().join('\n')).not.toContain(secret)
})

test('closing the pack in the middle of it leaves nothing behind', async () => {
  await using server = await startEncoderServer()
  await using bench = await openMemoryBench({ config: configFor(server) })
  server.fail({ kind: 'silent' })
  await save(bench, 'the automobile crashed')
  await waitFor(() => server.asked.length > 0)
  await bench.reopen()
  server.fail({ kind: 'none' })
  await waitUntilFoundByMeaning(bench, 'car', 'the automobile crashed')
})
