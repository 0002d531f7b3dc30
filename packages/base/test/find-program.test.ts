import { findProgram } from '@switchboard/base'
import { expect, it } from 'vitest'

it('a program is a file beside the bundle, or where its source is, in the form that is run', () => {
  const program = { bundled: 'thing-thread', source: './thread/main' }
  expect(findProgram('file:///x/dist/switchboard.mjs', program).href).toBe('file:///x/dist/thing-thread.mjs')
  expect(findProgram('file:///x/src/thing.ts', program).href).toBe('file:///x/src/thread/main.ts')
  expect(findProgram('file:///x/dist/thing.js', program).href).toBe('file:///x/dist/thread/main.js')
})
