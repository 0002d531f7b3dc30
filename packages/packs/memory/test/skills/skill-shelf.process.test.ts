/** The shelf on a store that fails in the middle, and on one that is full of skills. */
import { systemClock } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { openSqliteStore, type Space } from '@switchboard/store'
import { catchRejection, createTemporaryDirectory, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { toItem } from '../../src/skills/skill.ts'
import { SkillShelf } from '../../src/skills/skill-shelf.ts'

const TEXT = {
  title: 'Deploy',
  description: 'Deploys',
  content: 'one',
  version: '1.0.0',
  author: 'ada',
  category: 'ops',
  prerequisites: [],
  expectedOutcome: '',
  tags: [],
  metadata: {},
}

/** What the next calls of a method do instead. */
type Faults = { [Method in keyof Space]?: () => never }

async function openShelf() {
  const directory = await createTemporaryDirectory()
  const store = await openSqliteStore({ file: directory.file('store.db') })
  const space = await store.space('skills')
  const faults: Faults = {}
  const faulty = new Proxy(space, {
    get(target, name: keyof Space) {
      const fault = faults[name]
      if (fault !== undefined) return async () => fault()
      const member: unknown = target[name]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const open = () => new SkillShelf(async () => faulty, systemClock)
  return {
    space,
    faults,
    shelf: open(),
    open,
    async [Symbol.asyncDispose]() {
      await store.close()
      await directory.remove()
    },
  }
}

function refuse(): never {
  throw new SwitchboardError('store_full', 'The disk is full')
}

test('an update that fails in the middle leaves the skill as it was, and can be done again', async () => {
  await using bench = await openShelf()
  const { shelf, faults } = bench
  const { id } = await shelf.create(TEXT)
  faults.change = refuse
  const change = { content: 'two', version: '1.1.0' }
  expect(await catchRejection(shelf.update(id, change))).toMatchObject({ code: 'store_full' })
  expect(await shelf.get(id)).toMatchObject({ content: 'one', version: '1.0.0' })
  delete faults.change
  await shelf.update(id, change)
  expect(await shelf.get(id)).toMatchObject({ content: 'two', version: '1.1.0' })
  expect((await shelf.history(id)).map(({ version }) => version)).toEqual(['1.0.0'])
  expect((await shelf.use(id, '1.0.0')).skill.content).toBe('one')
})

test('a skill that could not be stored is not listed, and its name is free', async () => {
  await using bench = await openShelf()
  const { shelf, faults } = bench
  faults.put = refuse
  expect(await catchRejection(shelf.create(TEXT))).toMatchObject({ code: 'store_full' })
  expect(await shelf.all()).toEqual([])
  delete faults.put
  expect((await shelf.create(TEXT)).name).toBe('deploy')
})

test('a store that could not be read is read again', async () => {
  await using bench = await openShelf()
  await bench.shelf.create(TEXT)
  const later = bench.open()
  bench.faults.list = refuse
  expect(await catchRejection(later.all())).toMatchObject({ code: 'store_full' })
  delete bench.faults.list
  expect((await later.all()).map(({ name }) => name)).toEqual(['deploy'])
})

test('there are a thousand skills at most', async () => {
  await using bench = await openShelf()
  const counts = { uses: 0, successes: 0, failures: 0, createdAt: 1, updatedAt: 1 }
  const names = Array.from({ length: 1_000 }, (_, at) => `skill-${at}`)
  await bench.space.put(names.map((name) => toItem({ ...TEXT, ...counts, id: name, name, title: name })))
  expect(await bench.shelf.all()).toHaveLength(1_000)
  await expect(bench.shelf.create(TEXT)).rejects.toMatchObject({ code: 'E_CAPACITY' })
  await bench.shelf.remove('skill-7')
  expect((await bench.shelf.create(TEXT)).name).toBe('deploy')
})

test('of uses only the newest are remembered', async () => {
  await using bench = await openShelf()
  const { id } = await bench.shelf.create(TEXT)
  const old = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ id: `use-${at}`, kind: 'use', scope: 'uses', text: '', tags: [], data: { skill: id } },
    createdAt: at,
    updatedAt: at,
  }))
  await bench.space.put(old)
  const use = await bench.shelf.use(id, undefined)
  await expect(bench.shelf.tellOutcome('use-0', true)).rejects.toMatchObject({ code: 'E_USE_NOT_FOUND' })
  expect(await bench.shelf.tellOutcome(use.id, true)).toMatchObject({ successes: 1 })
})

test('what another shelf on the same store makes, changes and deletes is seen some seconds later', async () => {
  await using bench = await openShelf()
  let skipped = 0
  const later = new SkillShelf(async () => bench.space, { ...systemClock, now: () => systemClock.now() + skipped })
  const news: string[] = []
  later.onDidChange(() => news.push('changed'))
  later.onDidRewrite((name) => news.push(name))
  expect(await later.all()).toEqual([])
  const { id } = await bench.shelf.create(TEXT)
  skipped += 10_000
  expect((await later.all()).map(({ name }) => name)).toEqual(['deploy'])
  expect(news.splice(0)).toEqual(['changed'])
  await bench.shelf.update(id, { content: 'two', version: '1.1.0' })
  skipped += 10_000
  // Who only asks what is known hears of it.
  expect(later.known()).toMatchObject([{ version: '1.0.0' }])
  await waitFor(() => news.length === 2)
  expect(news.splice(0)).toEqual(['changed', 'deploy'])
  expect(later.known()).toMatchObject([{ version: '1.1.0' }])
  // Without waiting: no two have the same name.
  await expect(later.create(TEXT)).rejects.toMatchObject({ code: 'E_SKILL_EXISTS' })
  await bench.shelf.create({ ...TEXT, title: 'Other' })
  await expect(later.create({ ...TEXT, title: 'Other' })).rejects.toMatchObject({ code: 'E_SKILL_EXISTS' })
  await bench.shelf.remove(id)
  skipped += 10_000
  expect((await later.all()).map(({ name }) => name)).toEqual(['other'])
})
