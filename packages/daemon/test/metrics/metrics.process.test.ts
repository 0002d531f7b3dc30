import { TokenStore } from '@switchboard/gateway'
import { connectAgent } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { useWorkbench, WITH_MEMORY } from '../helpers/workbench.ts'

describe('/metrics', () => {
  const bench = useWorkbench()

  it('tells what was called and how the servers are', async () => {
    const { url, mcp } = await bench.open({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = await connectAgent('legacy', mcp)
    bench.defer(() => agent.close())
    await agent.call('fx_echo', { text: 'hello' })
    await agent.call('fx_echo', { text: 7 })
    await agent.call('fx_nothing').catch(() => {})
    const response = await fetch(`${url}/metrics`)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const lines = (await response.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'switchboard_calls_total{server="fx",code="ok"} 1',
        'switchboard_calls_total{server="fx",code="invalid_arguments"} 1',
        'switchboard_calls_total{server="switchboard",code="unknown_tool"} 1',
        'switchboard_call_duration_seconds_count{server="fx"} 2',
        'switchboard_server_processes{server="fx",state="ready"} 1',
        'switchboard_server_restarts_total{server="fx"} 0',
        'switchboard_server_in_flight{server="fx"} 0',
        'switchboard_server_queued{server="fx"} 0',
        'switchboard_sessions 1',
      ]),
    )
    for (const line of lines)
      expect(line).toMatch(/^(?:|# (?:HELP|TYPE) \S+ .+|[a-z_]+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? \d+(?:\.\d+)?)$/)
    const posted = await fetch(`${url}/metrics`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('tells how long our own tools and the store took, and whether searches found something', async () => {
    const { url, mcp } = await bench.open(WITH_MEMORY)
    const agent = await connectAgent('legacy', mcp)
    bench.defer(() => agent.close())
    const projectPath = bench.home.path
    await agent.call('checkpoint_save', { summary: 'the parser is done', projectPath })
    await agent.call('checkpoint_search', { query: 'parser', projectPath })
    await agent.call('checkpoint_search', { query: 'unheard', projectPath })
    await agent.call('made_up_by_a_caller').catch(() => {})
    const text = await (await fetch(`${url}/metrics`)).text()
    const lines = text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'switchboard_tool_duration_seconds_count{server="pack:memory",tool="checkpoint_save"} 1',
        'switchboard_tool_duration_seconds_count{server="pack:memory",tool="checkpoint_search"} 2',
        'switchboard_store_searches_total{space="memory_checkpoints",outcome="found"} 1',
        'switchboard_store_searches_total{space="memory_checkpoints",outcome="empty"} 1',
        'switchboard_store_operation_duration_seconds_count{operation="search"} 2',
        'switchboard_store_waiting 0',
      ]),
    )
    expect(text).not.toContain('made_up_by_a_caller')
  })

  it('asks for a credential where one is asked for', async () => {
    const { url } = await bench.open({ mcpServers: { fx: bench.fixture('fx') }, gateway: { requireAuth: true } })
    const { text } = await new TokenStore(bench.home.file('tokens.json')).create({ name: 'scraper' })
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${text}` } })).status).toBe(200)
  })
})
