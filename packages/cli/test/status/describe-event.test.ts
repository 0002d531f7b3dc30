import { expect, test } from 'vitest'
import { describeEvent } from '../../src/status/describe-event.ts'
import { SERVERS } from './server-fixtures.ts'

test.each([
  [0, 'everything lists 0 tools'],
  [1, 'everything lists 1 tool'],
  [2, 'everything lists 2 tools'],
])('%i tools are told as people count', (tools, text) => {
  const servers = SERVERS.map((server) => ({ ...server, tools }))
  expect(describeEvent({ type: 'catalog_changed', server: 'everything' }, servers)).toBe(text)
})
