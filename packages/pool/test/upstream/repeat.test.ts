import type { Tool } from '@switchboard/protocol/mcp'
import { describe, expect, it } from 'vitest'
import type { StdioServerConfig } from '../../src/config/server-config.ts'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

/** A call in flight when its server is lost; the next start answers. */
async function loseDuringCall(tool: Tool, config: Partial<StdioServerConfig> = {}) {
  const harness = createHarness({ server: { tools: [tool], on: { 'tools/call': hold } }, config })
  await harness.start()
  const outcome = harness.callTool(tool.name, { a: 1 }, { timeout: 10_000 })
  outcome.catch(() => {})
  await harness.settle()
  harness.server.script.on = {}
  harness.server.current.simulateExit()
  return { ...harness, outcome }
}

describe('a call that is lost with its server', () => {
  it.each([
    ['read-only', { readOnlyHint: true }],
    ['idempotent', { idempotentHint: true }],
  ])('is repeated once by itself when its tool is %s', async (_name, annotations) => {
    const { outcome, settle, server, logged } = await loseDuringCall(createTool('t', { annotations }))
    await settle()
    await expect(outcome).resolves.toMatchObject({ content: [{ text: 'done' }] })
    expect(server.current.requests('tools/call')).toMatchObject([{ params: { name: 't', arguments: { a: 1 } } }])
    const [repeated] = logged('pool.repeat')
    expect(repeated?.trace_id).toMatch(/./)
    const steps = logged('pool.call').map(({ msg, trace_id }) => [trace_id, msg.replace(/^.*?: /, '')])
    expect(steps).toEqual([
      [repeated?.trace_id, 'sent'],
      [repeated?.trace_id, 'failed'],
      [repeated?.trace_id, expect.stringMatching(/^waits for the server, which is /)],
      [repeated?.trace_id, 'sent'],
      [repeated?.trace_id, 'answered'],
    ])
  })

  it.each([
    ['says nothing about itself', undefined],
    ['may destroy', { destructiveHint: true }],
    ['is declared not to be read-only', { readOnlyHint: false, idempotentHint: false }],
  ])('is never repeated when its tool %s', async (_name, annotations) => {
    const tool = createTool('t', annotations === undefined ? {} : { annotations })
    const { outcome, settle, server } = await loseDuringCall(tool)
    await settle()
    expect(await failureOf(outcome)).toMatchObject({ code: 'server_exited', executed: 'unknown' })
    expect(server.starts).toHaveLength(2)
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('is never repeated where retry is "never"', async () => {
    const tool = createTool('t', { annotations: { readOnlyHint: true } })
    const { outcome, settle, server } = await loseDuringCall(tool, { retry: 'never' })
    await settle()
    expect(await failureOf(outcome)).toMatchObject({ code: 'server_exited' })
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('is repeated once, not twice', async () => {
    const tool = createTool('t', { annotations: { readOnlyHint: true } })
    const { outcome, settle, clock, server } = await loseDuringCall(tool)
    server.script.on = { 'tools/call': hold }
    await settle()
    expect(server.current.requests('tools/call')).toHaveLength(1)
    server.current.simulateExit()
    await clock.advanceAsync(1000)
    expect(await failureOf(outcome)).toMatchObject({ code: 'server_exited' })
    expect(server.starts).toHaveLength(3)
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('is repeated within what is left of its budget', async () => {
    const harness = createHarness({
      server: { tools: [createTool('t', { annotations: { readOnlyHint: true } })], on: { 'tools/call': hold } },
    })
    await harness.start()
    const failure = failureOf(harness.callTool('t', {}, { timeout: 10_000 }))
    await harness.clock.advanceAsync(7000)
    harness.server.current.simulateExit()
    await harness.clock.advanceAsync(0)
    await harness.clock.advanceAsync(2999)
    expect(harness.server.current.notifications('notifications/cancelled')).toEqual([])
    await harness.clock.advanceAsync(1)
    expect(await failure).toMatchObject({ code: 'timeout', details: { timeoutMs: 3000 } })
  })

  it('is repeated when it is a plain read of a resource', async () => {
    const { start, settle, server, upstream } = createHarness({ server: { on: { 'resources/read': hold } } })
    await start()
    const outcome = upstream.request('resources/read', { uri: 'a:b' }, createCall())
    await settle()
    server.script.on = { 'resources/read': () => ({ contents: [] }) }
    server.current.simulateExit()
    await settle()
    await expect(outcome).resolves.toEqual({ contents: [] })
  })
})
