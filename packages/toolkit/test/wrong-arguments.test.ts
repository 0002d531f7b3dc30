import { describeWrongValue } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { expect, it } from 'vitest'
import { WrongArguments } from '../src/index.ts'
import { callTool, createSmallPack, declare } from './helpers/small-pack.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1 }, line: { type: 'integer', minimum: 1 } },
  required: ['path', 'line'],
  additionalProperties: false,
}

it('a call with wrong parameters names each of them and never runs', async () => {
  let runs = 0
  const { pack } = createSmallPack([[declare('a.b', { input: SCHEMA }), () => ({ data: ++runs })]])
  const { text, error } = await callTool(pack, 'a_b', { lien: 3 })
  expect(text).toBe(
    '[invalid_arguments] The arguments of a_b are wrong: path is required (a string, not empty); line is required (an integer, at least 1); "lien" was given; lien is not a parameter (did you mean "line"?). Correct the named parameters and call again.',
  )
  expect(error).toMatchObject({
    executed: false,
    details: {
      fields: [
        { field: 'path', expected: 'a string, not empty' },
        { field: 'line' },
        { field: 'lien', nearest: 'line' },
      ],
    },
  })
  expect(runs).toBe(0)
})

it('null is taken for left out, as clients write it', async () => {
  const { pack } = createSmallPack([[declare('a.b', { input: SCHEMA }), (params) => ({ data: params })]])
  const { envelope } = await callTool(pack, 'a_b', { path: 'a.ts', line: 1, depth: null })
  expect(envelope).toMatchObject({ ok: true, data: { path: 'a.ts', line: 1 } })
  expect((await callTool(pack, 'a_b', { path: 'a.ts', line: null })).text).toContain('line is required')
})

it('what a tool itself finds wrong reads the same, and nothing was done', async () => {
  const run = () => {
    throw new WrongArguments([{ field: '', problem: 'need path or line' }, describeWrongValue('depth', 'even', 3)])
  }
  const { pack } = createSmallPack([[declare('a.b'), run]])
  const { text, error } = await callTool(pack, 'a_b', {})
  expect(text).toBe(
    '[invalid_arguments] The arguments of a_b are wrong: they need path or line; depth must be even, not 3. Correct the named parameters and call again.',
  )
  expect(error).toMatchObject({
    executed: false,
    details: {
      fields: [
        { field: '', problem: 'need path or line' },
        { field: 'depth', expected: 'even' },
      ],
    },
  })
})
