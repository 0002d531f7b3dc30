/** A skill that one window makes is a prompt and a resource in another, of either era, and in the next daemon. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '@switchboard/protocol'
import { programCommand, waitFor } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent, type SdkClient } from '@switchboard/testkit/sdk'
import { describe, expect, it } from 'vitest'
import { useWorkbench, WITH_MEMORY } from './helpers/workbench.ts'

const bench = useWorkbench()
const SKILL = {
  name: 'Deploy to staging',
  description: 'Puts the branch onto the test machines',
  content: '1. Push.\n2. Wait.',
  version: '1.0.0',
  author: 'ada',
  category: 'release',
}

/** One request of the modern era: the clients of the SDKs have no method for an extension's. */
async function rpc(url: string, method: string, params: JsonObject): Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.uri === 'string' ? { 'mcp-name': params.uri } : {}),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  return (await fetch(url, { method: 'POST', headers, body })).json()
}

describe.each<[SdkClient, SdkClient]>([
  ['v1', 'v2 pinned'],
  ['v2 pinned', 'v1'],
])('a window of %s makes a skill, and one of %s', (maker, reader) => {
  it('hears of it, gets it as a prompt, and reads it with its digest', async () => {
    const { mcp } = await bench.open(WITH_MEMORY)
    const connect = async (client: SdkClient): Promise<SdkAgent> => {
      const url = `${mcp}/memory-full`
      const agent = await connectSdkAgent(client, { transport: 'http', url }, { name: client })
      bench.defer(() => agent.close())
      return agent
    }
    const [one, other] = [await connect(maker), await connect(reader)]
    await one.call('skill_create', { ...SKILL, name: 'first' })
    await other.follow('skill://first/SKILL.md')
    const made = await one.call('skill_create', SKILL)
    expect(made.isError ?? false, JSON.stringify(made)).toBe(false)
    await waitFor(() => other.changes.includes('prompts'), { what: 'the news that prompts have changed' })
    expect(await other.prompt('deploy-to-staging', {})).toMatchObject({
      description: SKILL.description,
      messages: [{ role: 'user', content: { type: 'text', text: SKILL.content } }],
    })
    const contents: unknown = (await other.read('skill://deploy-to-staging/SKILL.md')).contents
    const [document] = Array.isArray(contents) ? contents : []
    expect(document.text).toContain(SKILL.content)
    const digest = `sha256:${createHash('sha256').update(document.text).digest('hex')}`
    const entry = await rpc(mcp, 'skills/get', { uri: 'skill://deploy-to-staging/SKILL.md' })
    expect(entry).toMatchObject({ result: { resultType: 'complete', ttlMs: 0, skill: { resources: [{ digest }] } } })
    await one.call('skill_update', { id: 'first', content: 'another', version: '1.1.0' })
    await waitFor(() => other.changes.includes('skill://first/SKILL.md'), { what: 'the news of another version' })
    await one.call('skill_delete', { id: 'deploy-to-staging' })
    await waitFor(async () => !(await other.promptNames()).includes('deploy-to-staging'), { what: 'its end' })
    await expect(other.prompt('deploy-to-staging', {})).rejects.toThrow('deploy-to-staging')
  })
})

it('a skill outlives the daemon, and is a prompt of a window of the next one', async () => {
  await bench.writeConfig(WITH_MEMORY)
  const command = programCommand(['mcp', '--standalone', '--profile', 'memory-full'], { home: bench.home.path })
  const first = await connectSdkAgent('v1', { transport: 'stdio', command })
  await first.call('skill_create', SKILL)
  await first.close()
  const second = await connectSdkAgent('v2 pinned', { transport: 'stdio', command })
  bench.defer(() => second.close())
  const prompt = await waitFor(() => second.prompt('deploy-to-staging', {}).catch(() => false as const), {
    what: 'the prompt of before',
  })
  expect(prompt).toMatchObject({ messages: [{ content: { text: SKILL.content } }] })
})

it('who reads a skill that is not there is told of those that are', async () => {
  const { mcp } = await bench.open(WITH_MEMORY)
  const agent = await connectSdkAgent('v1', { transport: 'http', url: `${mcp}/memory-full` })
  bench.defer(() => agent.close())
  await expect(agent.read('skill://nobody/SKILL.md')).rejects.toThrow('No resource is listed here.')
  await agent.call('skill_create', SKILL)
  await agent.call('skill_create', { ...SKILL, name: 'first' })
  await expect(agent.read('skill://nobody/SKILL.md')).rejects.toThrow(
    'There are skill://deploy-to-staging/SKILL.md, skill://first/SKILL.md.',
  )
  await expect(agent.read('skill://frist/SKILL.md')).rejects.toThrow('Did you mean "skill://first/SKILL.md"')
})
