import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../src/engine/debug-session.ts'
import { EntryRing } from '../../src/output/entry-ring.ts'
import { LineJoiner } from '../../src/output/line-joiner.ts'
import { OutputStore } from '../../src/output/output-store.ts'
import type { SessionCapture } from '../../src/output/session-capture.ts'
import { FakeSession } from '../helpers/fake-session.ts'

function print(text: string, category: 'stdout' | 'stderr' = 'stdout'): SessionEvent {
  return { type: 'output', category, text }
}

function feed(store: OutputStore, session: FakeSession, ...events: readonly SessionEvent[]): SessionCapture {
  for (const event of events) store.record('a', { id: session.id, session }, event)
  const capture = store.list('a').at(-1)
  if (capture === undefined) throw new Error('nothing was captured')
  return capture
}

describe('EntryRing', () => {
  it('keeps the newest by count and by bytes, and counts what gave way', () => {
    const ring = new EntryRing<string>({ maxEntries: 3, maxBytes: 10 }, (text) => text.length)
    for (const text of ['a', 'b', 'c', 'd']) ring.push(text)
    expect(ring.toArray()).toEqual(['b', 'c', 'd'])
    ring.push('123456789')
    expect(ring.toArray()).toEqual(['d', '123456789'])
    expect(ring.dropped).toEqual({ entries: 3, bytes: 3 })
  })

  it('keeps an entry that is too large by itself, rather than nothing', () => {
    const ring = new EntryRing<string>({ maxEntries: 3, maxBytes: 4 }, (text) => text.length)
    ring.push('too long for it')
    expect(ring.toArray()).toEqual(['too long for it'])
  })
})

describe('LineJoiner', () => {
  it('makes lines of pieces, whatever ends them', () => {
    const joiner = new LineJoiner(100)
    expect(joiner.add('on')).toEqual([])
    expect(joiner.add('e\r\ntwo\n\nth').map(({ text }) => text)).toEqual(['one', 'two', ''])
    expect(joiner.peek()?.text).toBe('th')
    expect(joiner.flush()).toEqual({ text: 'th', cut: 0 })
    expect(joiner.flush()).toBeUndefined()
  })

  it('holds no more of an endless line than it may', () => {
    const joiner = new LineJoiner(4)
    for (let piece = 0; piece < 1_000; piece++) joiner.add('abc')
    expect(joiner.add('\n')).toEqual([{ text: 'abca', cut: 2_996 }])
  })
})

describe('OutputStore', () => {
  it('keeps lines and events in their order, and the end', () => {
    const capture = feed(
      new OutputStore(),
      new FakeSession(),
      print('one\ntw'),
      { type: 'stopped', threadId: 1, reason: 'breakpoint', breakpointIds: ['b1'], allThreads: true },
      print('o\nrest'),
      { type: 'exited', exitCode: 3 },
      { type: 'terminated' },
    )
    expect(capture.lines().map(({ text }) => text)).toEqual(['one', 'two', 'rest'])
    expect(capture.events().map(({ type }) => type)).toEqual(['started', 'stopped', 'exited', 'terminated'])
    expect(capture).toMatchObject({ exitCode: 3, isEnded: true, error: undefined })
  })

  it('lets a flood of output push out its own lines only', () => {
    const session = new FakeSession()
    const store = new OutputStore({ limits: { maxBytes: 10_000 } })
    const capture = feed(store, session, {
      type: 'stopped',
      threadId: 1,
      reason: 'entry',
      breakpointIds: [],
      allThreads: true,
    })
    for (let count = 0; count < 5_000; count++) feed(store, session, print(`line ${count}\n`))
    expect(capture.bytes).toBeLessThan(12_000)
    expect(capture.totals.lines.stdout).toBe(5_000)
    expect(capture.dropped.lines + capture.lines().length).toBe(5_000)
    expect(capture.lines().at(-1)?.text).toBe('line 4999')
    expect(capture.events().map(({ type }) => type)).toContain('stopped')
  })

  it('shows a line that is not finished, and takes colours out', () => {
    const capture = feed(new OutputStore(), new FakeSession(), print('\u001b[31mred\u001b[0m\nPassword? '))
    expect(capture.lines().map(({ text }) => text)).toEqual(['red', 'Password? '])
  })

  it('masks what looks like a secret', () => {
    const capture = feed(new OutputStore(), new FakeSession(), print('password=hunter2hunter2\n'))
    expect(JSON.stringify(capture.lines())).not.toContain('hunter2')
  })

  it('asks for the details of an exception that it stopped at', async () => {
    const session = new FakeSession()
    session.exception = { type: 'TypeError', message: 'x is not a function' }
    session.frames = [{ id: 1, name: 'main', isUser: true, place: { path: '/w/app.js', line: 4 } }]
    const stop: SessionEvent = {
      type: 'stopped',
      threadId: 1,
      reason: 'exception',
      breakpointIds: [],
      allThreads: true,
    }
    const capture = feed(new OutputStore(), session, stop)
    await expect
      .poll(() => capture.exceptions())
      .toMatchObject([{ type: 'TypeError', message: 'x is not a function', stack: ['main (/w/app.js:4)'] }])
  })

  it('forgets the oldest that ended, and never one that runs', () => {
    const store = new OutputStore({ keptSessions: 2 })
    const running = new FakeSession('running')
    feed(store, running, print('here\n'))
    for (const id of ['s1', 's2', 's3', 's4']) feed(store, new FakeSession(id), print('x\n'), { type: 'terminated' })
    feed(store, new FakeSession('s5'), print('x\n'))
    expect(store.list('a').map(({ id }) => id)).toEqual(['running', 's3', 's4', 's5'])
  })

  it('stays below its bytes over all windows by forgetting what ended', () => {
    const store = new OutputStore({ maxBytes: 20_000 })
    for (let count = 0; count < 10; count++) {
      const session = new FakeSession(`s${count}`)
      for (const owner of ['a', 'b']) {
        const own = owner === 'a' ? session : new FakeSession(`s${count}`)
        store.record(owner, { id: own.id, session: own }, print(`${'x'.repeat(2_000)}\n`))
        store.record(owner, { id: own.id, session: own }, { type: 'terminated' })
      }
    }
    const bytes = ['a', 'b'].flatMap((owner) => store.list(owner)).reduce((sum, capture) => sum + capture.bytes, 0)
    expect(bytes).toBeLessThan(26_000)
    expect(store.list('b').at(-1)?.id).toBe('s9')
  })

  it('keeps nothing of a window that is gone', () => {
    const store = new OutputStore()
    feed(store, new FakeSession(), print('x\n'))
    store.release('a')
    expect(store.list('a')).toEqual([])
  })

  it('begins a new capture for a restarted session of the same name', () => {
    const store = new OutputStore()
    feed(store, new FakeSession('s1'), print('first\n'), { type: 'terminated' })
    const second = feed(store, new FakeSession('s1'), print('second\n'))
    expect(store.list('a')).toHaveLength(2)
    expect(second.lines().map(({ text }) => text)).toEqual(['second'])
  })
})
