import { Listeners } from '@switchboard/base'
import type { CatalogPart, JsonObject } from '@switchboard/protocol'
import { catchRejection, createCall } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import type { PackExtras } from '../../src/index.ts'
import { createSmallPack, declare } from '../helpers/small-pack.ts'

const GUIDE = { id: 'how-to', title: 'How to', summary: 'Tells how.', tags: [], text: 'So.\n' }

function createExtras(names: string[]) {
  const listeners = new Listeners<[readonly CatalogPart[]]>()
  const asked: string[] = []
  const extras: PackExtras = {
    prompts: () => names.map((name) => ({ name, description: `a skill ${name}` })),
    resources: () => names.map((name) => ({ uri: `skill://${name}/SKILL.md`, name })),
    extensions: { 'example/extra': { deep: true } },
    onDidChange: (listener) => listeners.add(listener),
    async request(method: string, params: JsonObject) {
      asked.push(method)
      if (method === 'prompts/get' && names.includes(String(params.name))) return { messages: [] }
      if (method === 'resources/read' && String(params.uri).startsWith('skill:')) return { contents: [] }
      return method === 'extra/list' ? { extras: names } : undefined
    },
  }
  return { extras, asked, change: (parts: readonly CatalogPart[]) => listeners.notify(parts) }
}

test('extras stand in the lists beside guides and stored results, with what they extend', () => {
  const { extras } = createExtras(['deploy'])
  const { pack } = createSmallPack([], { guides: [GUIDE], extras })
  const { prompts, resources, templates, capabilities } = pack.catalog()
  expect(prompts.map(({ name }) => name)).toEqual(['how-to', 'deploy'])
  expect(resources.map(({ uri }) => uri)).toEqual(['skill://deploy/SKILL.md'])
  expect(templates.map(({ name }) => name)).toEqual(['small_results'])
  expect(capabilities).toEqual({ tools: {}, prompts: {}, extensions: { 'example/extra': { deep: true } } })
})

test('whoever listens is told of a change, and finds the new list', () => {
  const names = ['deploy']
  const { extras, change } = createExtras(names)
  const { pack } = createSmallPack([], { extras })
  const heard: (readonly CatalogPart[])[] = []
  const subscription = pack.onCatalogChange((parts) => heard.push(parts))
  names.push('review')
  change(['prompts', 'resources'])
  expect(heard).toEqual([['prompts', 'resources']])
  expect(pack.catalog().prompts.map(({ name }) => name)).toEqual(['deploy', 'review'])
  subscription.dispose()
})

test('a change of what is listed keeps the extras', () => {
  const { extras } = createExtras(['deploy'])
  const { pack } = createSmallPack([[declare('a.b'), () => ({ data: 1 })]], { extras })
  pack.relist({ hidden: ['a_b'] })
  expect(pack.catalog().tools).toEqual([])
  expect(pack.catalog().prompts).toHaveLength(1)
})

test('a guide keeps its name, and a stored result its URI', async () => {
  const { extras, asked } = createExtras(['how-to'])
  const { pack } = createSmallPack([], { guides: [GUIDE], extras })
  expect(pack.catalog().prompts).toHaveLength(1)
  expect(await pack.request('prompts/get', { name: 'how-to' }, createCall())).toMatchObject({
    messages: [{ content: { text: 'So.\n' } }],
  })
  const missing = pack.request('resources/read', { uri: 'switchboard://results/small/x' }, createCall())
  expect(await catchRejection(missing)).toMatchObject({ code: 'unknown_resource' })
  expect(asked).toEqual([])
})

test('what the extras do not know is unknown, with the nearest that is listed', async () => {
  const { extras } = createExtras(['deploy'])
  const { pack } = createSmallPack([], { extras })
  const ask = (method: string, params: JsonObject) => pack.request(method, params, createCall())
  expect(await ask('prompts/get', { name: 'deploy' })).toEqual({ messages: [] })
  expect(await ask('resources/read', { uri: 'skill://deploy/SKILL.md' })).toEqual({ contents: [] })
  expect(await ask('extra/list', {})).toEqual({ extras: ['deploy'] })
  expect(await catchRejection(ask('prompts/get', { name: 'depoly' }))).toMatchObject({
    code: 'unknown_prompt',
    details: { suggestions: ['deploy'] },
  })
  expect(await catchRejection(ask('resources/read', { uri: 'file:///x' }))).toMatchObject({ code: 'unknown_resource' })
  expect(await catchRejection(ask('extra/get', {}))).toMatchObject({ code: 'unknown_method' })
})
