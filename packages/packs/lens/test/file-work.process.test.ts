/** The index as the daemon's socket has it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useLens } from './helpers/lens.ts'

const bench = useLens()

it('tells a queue that never ran from one that is idle, and takes paths that are told', async () => {
  const folder = await bench.folder({ 'a.txt': 'first words\n' })
  const lens = await bench.open({ workspace: folder, config: { watch: false } })
  const { work } = lens.pack
  if (work === undefined) throw new Error('The lens takes paths')
  expect(work.recentActivity()).toMatchObject({ state: 'never_ran', run_id: null, items: 0, idle_since: null })
  await expect(work.enqueue([{ kind: 'file', path: join(folder, 'a.txt'), priority: 'normal' }])).rejects.toMatchObject(
    { code: 'invalid_arguments' },
  )
  expect(await work.enqueue([{ kind: 'scan', path: folder, priority: 'normal' }])).toEqual({ enqueued: 1, deduped: 0 })
  expect(await work.awaitIdle(60_000)).toMatchObject({
    idle: true,
    timed_out: false,
    queue: { pending: 0, running: 0, failed: 0 },
    recent_activity: { state: 'idle', items: 1, errors: 0, idle_since: expect.any(String) },
  })
  await writeFile(join(folder, 'b.txt'), 'second words\n')
  await work.enqueue([{ kind: 'file', path: join(folder, 'b.txt'), priority: 'high' }])
  expect((await work.awaitIdle(60_000)).idle).toBe(true)
  expect((await lens.call('lens_search', { query: 'words' })).data).toMatchObject({ text: { total: 2 } })
})
