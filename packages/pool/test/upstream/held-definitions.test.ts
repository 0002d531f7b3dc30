import type { Catalog } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import type { JudgeCatalog } from '../../src/upstream/held-definitions.ts'
import { createCall, createHarness, createTool, failureOf } from '../helpers/upstream-harness.ts'

const LISTS = {
  capabilities: { tools: { listChanged: true }, prompts: {} },
  tools: [createTool('a'), createTool('b')],
  prompts: [{ name: 'p' }],
}

/** Keeps back what it is told to, until it is told otherwise. */
function createJudge(...names: string[]) {
  const held = new Set(names)
  const seen: Catalog[] = []
  const judge: JudgeCatalog = (_server, read) => {
    seen.push(read)
    if (held.size === 0) return read
    const reasons = new Map([...held].map((name) => [name, 'it changed']))
    const isShown = ({ name }: { readonly name: string }): boolean => !held.has(name)
    const lists = { tools: read.tools.filter(isShown), prompts: read.prompts.filter(isShown) }
    return { ...read, ...lists, held: { tools: reasons, prompts: reasons } }
  }
  return { judge, held, seen }
}

describe('what is held back of a server', () => {
  it('is in no list, and a call of it is not sent', async () => {
    const { judge } = createJudge('b', 'p')
    const { start, upstream, callTool, server } = createHarness({ judge, server: LISTS })
    await start()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['a'])
    expect(upstream.status()).toMatchObject({ tools: 1, prompts: 0 })
    const refused = [
      await failureOf(callTool('b')),
      await failureOf(upstream.request('prompts/get', { name: 'p' }, createCall())),
    ]
    for (const error of refused)
      expect(error).toMatchObject({ code: 'definition_held', executed: false, retryable: false })
    expect(refused[0]?.message).toBe('The tool b of fake is held back: it changed')
    expect(refused[0]?.hint).toContain('switchboard trust accept fake')
    expect(server.current.requests('tools/call')).toEqual([])
    expect(server.current.requests('prompts/get')).toEqual([])
  })

  it('is not sent either where it came to light only when the server was started for that very call', async () => {
    const { judge, held } = createJudge()
    const catalog = { ...LISTS, resources: [], templates: [], instructions: '' }
    const { callTool, server } = createHarness({
      judge,
      server: LISTS,
      config: { start: 'lazy' },
      learned: { era: 'legacy', catalog },
    })
    held.add('a')
    expect(await failureOf(callTool('a'))).toMatchObject({
      code: 'definition_held',
      executed: false,
      message: 'The tool a of fake is held back: it changed',
    })
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('is there as soon as it is judged again, and who listens is told', async () => {
    const { judge, held } = createJudge('b')
    const { start, upstream, callTool } = createHarness({ judge, server: LISTS })
    await start()
    const changes: (readonly string[])[] = []
    upstream.onCatalogChange((parts) => changes.push(parts))
    const [a] = upstream.catalog().tools
    held.clear()
    upstream.judgeAgain()
    expect(changes).toEqual([['tools']])
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['a', 'b'])
    // What is compiled for a tool hangs on the object.
    expect(upstream.catalog().tools[0]).toBe(a)
    expect(await callTool('b')).toBeDefined()
    upstream.judgeAgain()
    expect(changes).toHaveLength(1)
  })

  it('is remembered as the server has it, so that it is judged anew with the next start', async () => {
    const { judge } = createJudge('b')
    const { start, cache, config } = createHarness({ judge, server: LISTS })
    await start()
    expect(cache.load(config).catalog?.tools.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('is nothing of a server that was never seen, and of one that is known it is judged before it starts', () => {
    const fresh = createJudge('a')
    createHarness({ judge: fresh.judge, server: LISTS })
    expect(fresh.seen).toEqual([])
    const known = createJudge('a')
    const catalog = { ...LISTS, resources: [], templates: [], instructions: '' }
    const { upstream } = createHarness({ judge: known.judge, learned: { era: 'legacy', catalog } })
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['b'])
  })
})
