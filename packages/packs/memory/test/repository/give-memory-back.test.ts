import { expect, test } from 'vitest'
import { giveMemoryBack } from '../../src/repository/give-memory-back.ts'

test('what nobody holds any more is gone afterwards', async () => {
  const held = (() => new WeakRef({ large: new Uint8Array(1_000_000) }))()
  // A reference that was just made holds its target until the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  await giveMemoryBack()
  expect(held.deref()).toBeUndefined()
})
