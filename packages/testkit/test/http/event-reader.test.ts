import { expect, test } from 'vitest'
import { EventReader, type SseEvent } from '../../src/http/event-reader.ts'

test('events and comments are told, however their bytes were cut', () => {
  const stream =
    ': hello\n\nid: 1\nevent: endpoint\ndata: /messages\n\ndata: {"a":\ndata: 1}\n\nid: 2\ndata:\n\ndata: unfin'
  for (const size of [1, 7, stream.length]) {
    const events: SseEvent[] = []
    const comments: string[] = []
    const reader = new EventReader(
      (event) => events.push(event),
      (comment) => comments.push(comment),
    )
    for (let start = 0; start < stream.length; start += size) reader.push(stream.slice(start, start + size))
    expect(comments).toEqual(['hello'])
    expect(events).toEqual([
      { id: '1', event: 'endpoint', data: '/messages' },
      { id: undefined, event: undefined, data: '{"a":\n1}' },
      { id: '2', event: undefined, data: '' },
    ])
  }
})
