import type { JsonObject } from '@switchboard/protocol'
import { catchRejection } from '@switchboard/testkit'
import type { PersonCall, PersonProgress } from '@switchboard/toolkit'
import { expect, test } from 'vitest'
import { startEncoderServer } from '../helpers/encoder-server.ts'
import { readEncoderConfig } from '../helpers/meaning-bench.ts'
import { type MemoryBench, openMemoryBench } from '../helpers/memory-bench.ts'

function evaluate(
  { pack, folder }: MemoryBench,
  params: JsonObject,
  progress: PersonCall['progress'] = () => {},
): Promise<JsonObject> {
  const command = pack.commands?.eval
  if (command === undefined) throw new Error('no such command')
  return command(params, { workspace: folder, signal: new AbortController().signal, progress })
}

test('a person is told what was found out, with its numbers', async () => {
  await using server = await startEncoderServer()
  const encoder = readEncoderConfig({ kind: 'tei', url: server.url, queryTimeout: '10s' })
  await using bench = await openMemoryBench({ config: { encoder } })
  for (let number = 0; number < 20; number++) {
    const name = `marker${number}`
    const description = `It is about ${name}, and what became of it in the end.`
    await bench.call('checkpoint_save', { summary: `What happened to ${name}`, description }, bench.folder)
  }
  const told: PersonProgress[] = []
  const answer = await evaluate(bench, { spaces: ['checkpoints', 'skills'] }, (progress) => told.push(progress))
  expect(answer).toEqual({
    place: server.url,
    spaces: [
      {
        space: 'checkpoints',
        items: 20,
        questions: 20,
        model: 'tei:words@abc/64',
        text: { ndcg: 1, mrr: 1 },
        meaning: { ndcg: expect.any(Number), mrr: expect.any(Number) },
        fused: { ndcg: expect.any(Number), mrr: expect.any(Number) },
        difference: expect.any(Number),
        error: expect.any(Number),
        outcome: expect.stringMatching(/^(?:alike|worse)$/),
        says: expect.stringContaining('it is not used'),
      },
      { space: 'skills', items: 0, questions: 0, says: 'too few to tell: at least 20 questions are needed' },
    ],
  })
  expect(told.at(-1)).toEqual({ done: 40, total: 40, message: 'checkpoints' })
})

test('what cannot be evaluated is told with the next step', async () => {
  await using server = await startEncoderServer()
  const encoder = readEncoderConfig({ kind: 'tei', url: server.url })
  await using bench = await openMemoryBench({ config: { encoder } })
  expect(await catchRejection(evaluate(bench, { spaces: ['cod'] }))).toMatchObject({ code: 'invalid_arguments' })
  await using without = await openMemoryBench()
  expect(await catchRejection(evaluate(without, {}))).toMatchObject({
    message: expect.stringContaining('No encoder is configured'),
  })
})
