import { readdir } from 'node:fs/promises'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type EvaluationProgress, evaluateMeaning } from '../../../src/search/evaluate/evaluate-meaning.ts'
import { openMeaningBench } from '../../helpers/meaning-bench.ts'

/** Each is asked for in words that it does not have, and that mean one of its own. */
const PAIRS = [
  ['automobile', 'car'],
  ['crashed', 'collided'],
  ['quick', 'fast'],
  ['repair', 'fix'],
] as const

/** Texts whose first sentence says in other words what the rest says. */
function inOtherWords(number: number): string {
  const [other, word] = PAIRS[number % PAIRS.length] ?? PAIRS[0]
  return `Note about ${other} n${number}x.\nthe ${word} stands in place n${number}x with many more words around it here`
}

test('says that meaning helps where what is asked for has other words, and keeps it for the model', async () => {
  await using bench = await openMeaningBench()
  await using folder = await createTemporaryDirectory()
  // With no word in common only the meaning finds them.
  for (let number = 0; number < 24; number++) {
    const [other, word] = PAIRS[number % PAIRS.length] ?? PAIRS[0]
    const filler = `${String.fromCharCode(97 + number)}zz `.repeat(8)
    await bench.save(
      `item ${number}`,
      `${other} ${other} ${other} ${other}\n${`${word} `.repeat(12)}${number < 4 ? '' : filler}`,
    )
  }
  await bench.waitUntilEncoded()
  const told: EvaluationProgress[] = []
  const [found] = await evaluateMeaning({
    meaning: bench.meaning,
    folder: folder.path,
    spaces: ['checkpoints'],
    signal: new AbortController().signal,
    onProgress: (progress) => told.push(progress),
  })
  expect(found).toMatchObject({ space: 'checkpoints', items: 24, questions: 24 })
  expect(found?.result).toMatchObject({ model: 'openai:words/64', outcome: 'better', text: { ndcg: 0 } })
  expect(found?.result?.fused.ndcg).toBeGreaterThan(0.2)
  expect(told.at(-1)).toEqual({ space: 'checkpoints', done: 48, total: 48 })
  expect(bench.meaning.status().spaces.checkpoints).toMatchObject({
    isUsed: true,
    verdict: { helps: true, queries: 24 },
  })
  expect(await readdir(folder.path)).toEqual([])
})

test('says that meaning does not help where words find everything, and search then asks no encoder', async () => {
  await using bench = await openMeaningBench()
  await using folder = await createTemporaryDirectory()
  for (let number = 0; number < 30; number++) {
    const name = `marker${String.fromCharCode(97 + (number % 26))}${number}`
    await bench.save(`item ${number}`, `What happened to ${name}\nIt is about ${name} and what became of it in the end`)
  }
  await bench.waitUntilEncoded()
  const [found] = await evaluateMeaning({
    meaning: bench.meaning,
    folder: folder.path,
    spaces: ['checkpoints'],
    signal: new AbortController().signal,
  })
  expect(found?.result).toMatchObject({ text: { ndcg: 1, mrr: 1 } })
  expect(found?.result?.outcome).not.toBe('better')
  const asked = bench.server.asked.length
  expect(await bench.find('markera0')).toMatchObject({ note: undefined, hits: [{ matched: 'text' }] })
  expect(bench.server.asked).toHaveLength(asked)
  // After a restart as well; with another model it has to be found out anew.
  await bench.reopen()
  await bench.find('markera0')
  expect(bench.meaning.status().spaces.checkpoints?.isUsed).toBe(false)
  await bench.reopen({ model: 'other' })
  await bench.waitUntilEncoded()
  expect(bench.meaning.status().spaces.checkpoints?.isUsed).toBe(true)
})

test('tells nothing of a few', async () => {
  await using bench = await openMeaningBench()
  await using folder = await createTemporaryDirectory()
  for (let number = 0; number < 5; number++) await bench.save(`item ${number}`, inOtherWords(number))
  const found = await evaluateMeaning({
    meaning: bench.meaning,
    folder: folder.path,
    signal: new AbortController().signal,
  })
  expect(found.map(({ result }) => result)).toEqual(new Array(5).fill(undefined))
  expect(found[0]).toMatchObject({ space: 'checkpoints', items: 5, questions: 5 })
  expect(bench.meaning.status().spaces.checkpoints).toMatchObject({ isUsed: true, verdict: undefined })
})

test('an encoder that is down fails it with the reason, one that is given up ends, and nothing is left of the copy', async () => {
  await using bench = await openMeaningBench()
  await using folder = await createTemporaryDirectory()
  for (let number = 0; number < 30; number++) await bench.save(`item ${number}`, inOtherWords(number))
  await bench.waitUntilEncoded()
  const evaluate = (signal: AbortSignal, onProgress = () => {}) =>
    evaluateMeaning({ meaning: bench.meaning, folder: folder.path, spaces: ['checkpoints'], signal, onProgress })
  const controller = new AbortController()
  await expect(evaluate(controller.signal, () => controller.abort(new Error('enough')))).rejects.toThrow('enough')
  await bench.server.stop()
  await bench.save('another', inOtherWords(99))
  await expect(evaluate(new AbortController().signal)).rejects.toMatchObject({ name: 'EncoderError' })
  expect(await readdir(folder.path)).toEqual([])
})
