import type { AskRequest } from '@switchboard/protocol'
import { expect, it } from 'vitest'
import { QuestionKeys } from '../../src/modern/question-keys.ts'

const form = (...fields: string[]): AskRequest => ({
  method: 'elicitation/create',
  params: { requestedSchema: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) } },
})

it.each<[what: string, request: AskRequest, key: string]>([
  ['a form of one field', form('name'), 'user_name'],
  ['a form of many fields', form('name', 'age', 'town', 'street'), 'user_name_age_town'],
  ['a form of strange fields', form('__proto__ x', 'ä'), 'user___proto___x__'],
  ['a form of a long field', form('x'.repeat(200)), `user_${'x'.repeat(59)}`],
  ['a form without fields', { method: 'elicitation/create', params: { requestedSchema: 'none' } }, 'user_answer'],
  ['a visit', { method: 'elicitation/create', params: { mode: 'url' } }, 'user_visit'],
  ['a question to the model', { method: 'sampling/createMessage' }, 'model_answer'],
  ['the roots', { method: 'roots/list' }, 'client_roots'],
  ['anything else', { method: 'other/thing' }, 'answer'],
])('%s is named for what is asked', (_, request, key) => {
  expect(new QuestionKeys().create(request)).toBe(key)
})

it('never gives a key twice, whatever the fields are called', () => {
  const keys = new QuestionKeys()
  const given = [form('a'), form('a', '2'), form('a'), form('a', '2'), form('a'), form('a', '3')].map((request) =>
    keys.create(request),
  )
  expect(new Set(given).size).toBe(given.length)
  expect(given[0]).toBe('user_a')
})
