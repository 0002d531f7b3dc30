import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createCall } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type RecallSource, recallAnswer, recallInTime } from '../../src/packs/recall.ts'

const { caller } = createCall()
const knowing: RecallSource = { recall: async ({ message }) => `seen before: ${message}` }
const error = { message: 'boom' }

test('a line that is known in time is told', async () => {
  expect(await recallInTime(knowing, error, caller, createMemoryLogger())).toBe('seen before: boom')
})

test('nobody waits for who does not answer', async () => {
  const mute: RecallSource = { recall: () => new Promise(() => {}) }
  expect(await recallInTime(mute, error, caller, createMemoryLogger())).toBeUndefined()
})

test('a failure is logged, and costs the answer nothing', async () => {
  const log = createMemoryLogger()
  const broken: RecallSource = { recall: async () => Promise.reject(new Error('the store is gone')) }
  expect(await recallInTime(broken, error, caller, log)).toBeUndefined()
  expect(log.entries).toMatchObject([{ level: 'warn' }])
})

test.each([
  [
    'of a server',
    'files',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'seen before: a\nb',
  ],
  ['without a word', 'files', { content: [{ type: 'image', data: '' }] }, undefined],
  ['without content', 'files', {}, undefined],
  ['of a pack', 'pack:debug', { content: [{ type: 'text', text: 'a' }] }, undefined],
  ['of our own', 'switchboard', { content: [{ type: 'text', text: 'a' }] }, undefined],
])('what is asked about an answer %s', async (_, provider, result: JsonObject, line) => {
  const answer = { provider, result: { isError: true, ...result }, call: createCall() }
  expect(await recallAnswer(knowing, answer, createMemoryLogger())).toBe(line)
})
