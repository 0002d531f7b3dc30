/** What a person asks of packs and of the store: on the daemon's socket, and nowhere else. */
import type { JsonObject } from '@switchboard/protocol'
import { catchRejection } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { attachAgent, codeOf, connectTo, openDaemon } from '../helpers/daemon-bench.ts'
import { useWorkbench, WITH_MEMORY } from '../helpers/workbench.ts'

const bench = useWorkbench()

const asked = (of: string, command: string, params: JsonObject = {}) => ({
  of,
  command,
  params,
  workspace: bench.home.path,
})

test('a command of a pack and of the store is answered, and tells how far it is', async () => {
  await openDaemon(bench, WITH_MEMORY)
  const client = await connectTo(bench)
  const line = JSON.stringify({
    kind: 'checkpoint',
    id: 'aaaa-1',
    scope: 'shared',
    text: 'the parser is done',
    tags: [],
    data: { summary: 'the parser is done' },
    createdAt: 1,
    updatedAt: 1,
  })
  const imported = await client.request('run_command', asked('memory', 'import', { lines: [line, '{'], first: 7 }))
  expect(imported).toMatchObject({ added: 1, problems: [{ line: 8 }] })
  const found = await client.request('run_command', asked('memory', 'search', { query: 'parser', all: true }))
  expect(found).toMatchObject({ items: [{ id: 'aaaa-1', project: null }] })
  const told: JsonObject[] = []
  const onProgress = (progress: JsonObject): void => void told.push(progress)
  const checked = await client.request('run_command', asked('store', 'check'), { onProgress })
  expect(checked).toMatchObject({ problems: [] })
  expect(told.length).toBeGreaterThan(0)
  expect(told[0]).toMatchObject({ done: 0, total: told.length })
  const page = await client.request('run_command', asked('store', 'export'))
  expect(page.lines).toHaveLength(2)
})

test('one that is not there, or is asked for with nonsense, is told', async () => {
  await openDaemon(bench, { packs: { memory: { enabled: false } } })
  const client = await connectTo(bench)
  const codeFor = async (params: object) => codeOfError(await catchRejection(client.request('run_command', params)))
  expect(await codeFor(asked('memory', 'list'))).toBe('pack_failed')
  expect(await codeFor(asked('store', 'explode'))).toBe('unknown_method')
  expect(await codeFor(asked('store', 'constructor'))).toBe('unknown_method')
  expect(await codeFor({ of: 'store', command: 'check', workspace: '/' })).toBe('invalid_arguments')
  expect(await codeFor(asked('store', 'export', { cursor: 'unheard-of' }))).toBe('invalid_arguments')
  expect(await codeFor(asked('store', 'import', { lines: 'x' }))).toBe('invalid_arguments')
})

test('no agent reaches them', async () => {
  const { daemon } = await openDaemon(bench, WITH_MEMORY)
  const agent = await attachAgent(bench, { workspace: bench.home.path })
  expect(codeOf(await agent.call('run_command', asked('memory', 'list')))).toBe('unknown_tool')
  const { url } = daemon.switchboard
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'run_command', params: asked('memory', 'list') }),
  })
  expect(await response.text()).not.toContain('"items"')
})

test('whoever goes away in the middle of an export leaves nothing behind', async () => {
  await openDaemon(bench, WITH_MEMORY)
  const first = await connectTo(bench)
  const lines = Array.from({ length: 700 }, (_, index) =>
    JSON.stringify({
      kind: 'checkpoint',
      id: `id-${index}`,
      scope: 'shared',
      text: 'x',
      tags: [],
      data: {},
      createdAt: 1,
      updatedAt: 1,
    }),
  )
  await first.request('run_command', asked('memory', 'import', { lines }))
  const { cursor } = await first.request('run_command', asked('store', 'export'))
  expect(typeof cursor).toBe('string')
  first.close()
  await first.closed
  const second = await connectTo(bench)
  const over = await catchRejection(second.request('run_command', asked('store', 'export', { cursor: String(cursor) })))
  expect(codeOfError(over)).toBe('invalid_arguments')
})

function codeOfError(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}
