import { expect, test } from 'vitest'
import { appendLine } from '../src/append-line.ts'

test('a line is added to the last text, and nothing else is touched', () => {
  const image = { type: 'image', data: 'x', mimeType: 'image/png' }
  const result = {
    isError: true,
    structuredContent: { a: 1 },
    content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b\n' }, image],
  }
  expect(appendLine(result, 'line')).toEqual({
    ...result,
    content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b\nline' }, image],
  })
  expect(result.content[1]).toEqual({ type: 'text', text: 'b\n' })
})

test.each([
  [{ content: [] }, [{ type: 'text', text: 'line' }]],
  [{}, [{ type: 'text', text: 'line' }]],
  [{ content: [{ type: 'audio' }] }, [{ type: 'audio' }, { type: 'text', text: 'line' }]],
])('an answer without a text gets one', (result, content) => {
  expect(appendLine(result, 'line').content).toEqual(content)
})
