import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@switchboard/base'
import { openSqliteStore } from '@switchboard/store'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { Retention } from '../../src/retention.ts'
import { openMemoryBench } from '../helpers/memory-bench.ts'

test('analytics tell what was counted in a project, and nothing of another', async () => {
  await using bench = await openMemoryBench()
  const [mine, other] = [join(bench.folder, 'mine'), join(bench.folder, 'other')]
  await mkdir(mine)
  await mkdir(other)
  await bench.call('checkpoint_save', { summary: 'the parser' }, mine)
  await bench.call('checkpoint_search', { query: 'parser' }, mine)
  await bench.call('checkpoint_search', { query: 'kubernetes' }, mine)
  await bench.call('checkpoint_resume', { id: 'nothing-of-that' }, mine)
  const { data, text } = await bench.call('analytics_get', {}, mine)
  expect(data).toMatchObject({ sessions: 1, calls: 4, failed: 1, searches: 2, hits: 1, hitRate: 0.5 })
  expect(data.tools).toMatchObject([
    { tool: 'checkpoint_search', calls: 2, searches: 2, hits: 1 },
    { tool: 'checkpoint_resume', calls: 1, failed: 1, tokens: 0 },
    { tool: 'checkpoint_save', calls: 1, failed: 0 },
  ])
  expect(data.tokens).toBeGreaterThan(10)
  expect(text).toContain('4 calls of 1 session, 1 failed; 1 of 2 searches found something')
  expect((await bench.call('analytics_get', {}, other)).text).toContain('Nothing was called')
  expect((await bench.call('analytics_get', {})).text).toContain('Nothing was called')
})

test('counts are kept over a restart, and asked for by day', async () => {
  await using bench = await openMemoryBench()
  await bench.call('checkpoint_list', {}, bench.folder)
  await bench.reopen()
  await bench.call('checkpoint_list', {}, bench.folder)
  const { data } = await bench.call('analytics_get', { period: 'daily' }, bench.folder)
  expect(data).toMatchObject({ calls: 2 })
  const before = { startDate: '2021-01-01', endDate: '2021-02-01' }
  expect((await bench.call('analytics_get', before, bench.folder)).data).toMatchObject({ calls: 0, ...before })
  const wrong = [{ startDate: '2021-02-30' }, { startDate: '2021-02-02', endDate: '2021-02-01' }, { endDate: 'today' }]
  for (const dates of wrong) {
    expect((await bench.call('analytics_get', dates, bench.folder)).code).toBe('invalid_arguments')
  }
})

test('status tells what a window may see, and how large the store is', async () => {
  await using bench = await openMemoryBench()
  await bench.call('checkpoint_save', { summary: 's' }, bench.folder)
  await bench.call('remediation_save', { errorMessage: 'KeyError: x1', solution: 's' }, bench.folder)
  await bench.call('remediation_save', { errorMessage: 'KeyError: x2', solution: 's', scope: 'project' }, bench.folder)
  const { data, text } = await bench.call('memory_status', {}, bench.folder)
  expect(data).toMatchObject({
    status: 'healthy',
    services: { store: { status: 'healthy' } },
    items: { checkpoints: 1, remediations: 2, skills: 0 },
    retentionDays: 0,
  })
  expect(data.bytes).toBeGreaterThan(1_000)
  expect(text).toContain('1 checkpoints, 2 remediations, 0 skills for this window')
  expect(text).toContain('nothing is deleted by itself')
  const nobody = await bench.call('memory_status', {})
  expect(nobody.data.items).toEqual({ checkpoints: 0, remediations: 1, skills: 0 })
})

test('what is older than a person wants is deleted, and nothing else', async () => {
  const directory = await createTemporaryDirectory()
  const store = await openSqliteStore({ file: directory.file('store.db') })
  const space = (name: string) => store.space(name)
  const day = 86_400_000
  const now = Date.now()
  const item = (id: string, kind: string, age: number) => ({
    ...{ id, kind, scope: `project:${id}`, text: id, tags: [], data: {}, createdAt: now - age * day, updatedAt: now },
  })
  const checkpoints = await space('checkpoints')
  const ages = Array.from({ length: 1_200 }, (_, index) => index / 10)
  await checkpoints.put(ages.map((age, index) => item(`c${index}`, 'checkpoint', age + 0.05)))
  const remediations = await space('remediations')
  await remediations.put([item('r', 'remediation', 900)])
  const retention = new Retention({
    days: 30,
    space,
    isEmpty: () => false,
    clock: systemClock,
    log: createMemoryLogger(),
  })
  await retention.look()
  expect((await checkpoints.list({ scopes: 'all', limit: 1 })).total).toBe(300)
  expect((await remediations.list({ scopes: 'all', limit: 1 })).total).toBe(1)
  await retention.close()
  await store.close()
  await directory.remove()
})
