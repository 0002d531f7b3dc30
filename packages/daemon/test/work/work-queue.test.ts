import { type Worker, type WorkItem, WorkQueue } from '@switchboard/daemon'
import { createMemoryLogger } from '@switchboard/telemetry'
import { describe, expect, it } from 'vitest'

function file(path: string, more: Partial<WorkItem> = {}): WorkItem {
  return { kind: 'file', path, priority: 'normal', ...more }
}

/** Every item waits until it is let go. */
class HeldWorker implements Worker {
  readonly begun: string[] = []
  readonly #held: { path: string; end: (error?: Error) => void }[] = []
  readonly #watchers: (() => void)[] = []

  run(item: WorkItem, { signal }: { signal: AbortSignal }): Promise<void> {
    this.begun.push(item.path)
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => (error === undefined ? resolve() : reject(error))
      signal.addEventListener('abort', () => end(new Error('aborted')))
      this.#held.push({ path: item.path, end })
      for (const watcher of this.#watchers.splice(0)) watcher()
    })
  }

  /** Resolves when one has begun that was not let go yet. */
  async next(): Promise<{ path: string; end: (error?: Error) => void }> {
    const held = this.#held.shift()
    if (held !== undefined) return held
    await new Promise<void>((resolve) => this.#watchers.push(resolve))
    return this.next()
  }
}

describe('without a worker', () => {
  it('items are refused, and idle is told from never having run', async () => {
    const queue = new WorkQueue()
    expect(() => queue.enqueue([file('/a')])).toThrow(expect.objectContaining({ code: 'index_unavailable' }))
    expect(await queue.awaitIdle(0)).toEqual({
      idle: true,
      timed_out: false,
      queue: { pending: 0, running: 0, failed: 0 },
      recent_activity: {
        state: 'never_ran',
        run_id: null,
        started_at: null,
        items: 0,
        errors: 0,
        first_item_at: null,
        last_item_at: null,
        idle_since: null,
      },
    })
  })
})

describe('the queue', () => {
  it('never works inside of the call that enqueues', () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a')])
    expect(worker.begun).toEqual([])
    queue.close()
  })

  it('keeps a path once, raises its priority, and does what is urgent first', async () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    expect(queue.enqueue([file('/a'), file('/b'), file('/c')])).toEqual({ enqueued: 3, deduped: 0 })
    expect(queue.enqueue([file('/b'), file('/c', { priority: 'high' })])).toEqual({ enqueued: 0, deduped: 2 })
    const done: string[] = []
    for (let count = 0; count < 3; count++) {
      const item = await worker.next()
      done.push(item.path)
      item.end()
    }
    expect(done).toEqual(['/c', '/a', '/b'])
    expect(await queue.awaitIdle(5_000)).toMatchObject({ idle: true, recent_activity: { items: 3, state: 'idle' } })
  })

  it('works again on what changes while it is worked on', async () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a')])
    const first = await worker.next()
    expect(queue.enqueue([file('/a')])).toEqual({ enqueued: 1, deduped: 0 })
    first.end()
    const second = await worker.next()
    second.end()
    await queue.awaitIdle(5_000)
    expect(worker.begun).toEqual(['/a', '/a'])
  })

  it('tells a scan from a file of the same path', () => {
    const queue = new WorkQueue()
    queue.register(new HeldWorker())
    expect(queue.enqueue([file('/a'), file('/a', { kind: 'scan' })])).toEqual({ enqueued: 2, deduped: 0 })
    queue.close()
  })

  it('goes on after an item that fails, counts it, and calls the run failed', async () => {
    const log = createMemoryLogger()
    const queue = new WorkQueue({ log, now: () => Date.UTC(2026, 0, 2) })
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/bad'), file('/good')])
    ;(await worker.next()).end(new Error('cannot be read'))
    ;(await worker.next()).end()
    const answer = await queue.awaitIdle(5_000)
    const at = '2026-01-02T00:00:00.000Z'
    expect(answer).toMatchObject({
      idle: true,
      queue: { pending: 0, running: 0, failed: 1 },
      recent_activity: {
        state: 'failed',
        items: 2,
        errors: 1,
        started_at: at,
        first_item_at: at,
        last_item_at: at,
        idle_since: at,
      },
    })
    expect(log.entries.map(({ msg }) => msg)).toEqual(['/bad: cannot be read'])
    // Done right the next time, it is no failure any more; and that is another run.
    queue.enqueue([file('/bad')])
    ;(await worker.next()).end()
    const next = await queue.awaitIdle(5_000)
    expect(next).toMatchObject({ queue: { failed: 0 }, recent_activity: { state: 'idle', items: 1, errors: 0 } })
    expect(next.recent_activity.run_id).not.toBe(answer.recent_activity.run_id)
  })

  it('refuses as a whole what would not fit', () => {
    const queue = new WorkQueue({ maxPending: 2 })
    queue.register(new HeldWorker())
    queue.enqueue([file('/a')])
    expect(() => queue.enqueue([file('/b'), file('/c')])).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    expect(queue.counts().pending).toBe(1)
    queue.close()
  })

  it('says that it is not idle when the time is over, and waits no longer', async () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a'), file('/b')])
    const held = await worker.next()
    expect(await queue.awaitIdle(1)).toMatchObject({
      idle: false,
      timed_out: true,
      queue: { pending: 1, running: 1 },
      recent_activity: { state: 'running', items: 0 },
    })
    held.end()
    ;(await worker.next()).end()
    expect((await queue.awaitIdle(5_000)).idle).toBe(true)
  })

  it('answers all that wait for it at once', async () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a')])
    const held = await worker.next()
    const waiting = [queue.awaitIdle(60_000), queue.awaitIdle(60_000)]
    held.end()
    expect((await Promise.all(waiting)).map(({ idle }) => idle)).toEqual([true, true])
  })

  it('lets one go who does not want to wait any more', async () => {
    const queue = new WorkQueue()
    queue.register(new HeldWorker())
    queue.enqueue([file('/a')])
    const controller = new AbortController()
    const waiting = queue.awaitIdle(60_000, controller.signal)
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    queue.close()
  })

  it('tells what is under way to end when it is closed, and takes nothing more', async () => {
    const queue = new WorkQueue()
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a'), file('/b')])
    await worker.next()
    const waiting = queue.awaitIdle(60_000)
    queue.close()
    await waiting
    expect(() => queue.enqueue([file('/c')])).toThrow(expect.objectContaining({ code: 'shutting_down' }))
    expect(worker.begun).toEqual(['/a'])
  })

  it('works on several items at once when it may', async () => {
    const queue = new WorkQueue({ parallelism: 2 })
    const worker = new HeldWorker()
    queue.register(worker)
    queue.enqueue([file('/a'), file('/b'), file('/c')])
    const [first, second] = [await worker.next(), await worker.next()]
    expect(queue.counts()).toMatchObject({ running: 2, pending: 1 })
    first.end()
    second.end()
    ;(await worker.next()).end()
    expect((await queue.awaitIdle(5_000)).recent_activity.items).toBe(3)
  })
})
