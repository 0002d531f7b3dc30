import type { Catalog } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import type { StdioServerConfig } from '../src/config/server-config.ts'
import { type RoutedServer, Routes } from '../src/routes.ts'
import { SHARED_POLICY } from '../src/supervision/policy.ts'
import { Upstream } from '../src/upstream/upstream.ts'
import { FakeServer } from './helpers/fake-server.ts'
import { createConfig, createEnvironment, createTool } from './helpers/upstream-harness.ts'

const EMPTY: Catalog = { tools: [], resources: [], templates: [], prompts: [], instructions: '', capabilities: {} }

/** A server that was never started and lists what is remembered of it. */
function createServer(name: string, catalog: Partial<Catalog>, config: Partial<StdioServerConfig> = {}): RoutedServer {
  const { environment } = createEnvironment(() => new FakeServer(), { learned: { catalog: { ...EMPTY, ...catalog } } })
  const checked = createConfig({ name, ...config })
  return { config: checked, provider: new Upstream({ config: checked, environment, policy: SHARED_POLICY }) }
}

const tools = (...names: string[]) => ({ tools: names.map((name) => createTool(name)) })

describe('Routes', () => {
  it('exposes tools with the prefix of their server and finds the way back', () => {
    const routes = new Routes([createServer('shell', tools('run')), createServer('fs', tools('read file', 'write'))])
    expect(routes.tools.map(({ name, server, own }) => [name, server, own])).toEqual([
      ['shell_run', 'shell', 'run'],
      ['fs_read_file', 'fs', 'read file'],
      ['fs_write', 'fs', 'write'],
    ])
    expect(routes.findTool('fs_read_file')).toMatchObject({ provider: 'fs', own: 'read file' })
    expect(routes.findTool('fs_nothing')).toBeUndefined()
  })

  it('never lets two servers steal tools of each other', () => {
    const routes = new Routes([createServer('shell', tools('tools_run')), createServer('shell_tools', tools('run'))])
    const names = routes.tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
    for (const { name, server, own } of routes.tools)
      expect(routes.findTool(name)).toMatchObject({ provider: server, own })
  })

  it('exposes new names and no prefix where the rules say so', () => {
    const renamed = createServer('a', tools('run'), {
      tools: { allow: [], deny: [], rename: { run: 'go' }, prefix: 'x' },
    })
    const plain = createServer('b', tools('read'), { tools: { allow: [], deny: [], rename: {}, prefix: false } })
    const routes = new Routes([renamed, plain])
    expect(routes.tools.map(({ name }) => name)).toEqual(['x_go', 'read'])
    expect(routes.findTool('x_go')).toMatchObject({ provider: 'a', own: 'run' })
  })

  it('keeps the definition of a tool and marks one of a server that is down as stale', () => {
    const routes = new Routes([createServer('a', { tools: [createTool('t', { title: 'T', 'x-own': 1 })] })])
    expect(routes.tools).toEqual([
      { name: 'a_t', title: 'T', 'x-own': 1, inputSchema: { type: 'object' }, server: 'a', own: 't', stale: true },
    ])
  })

  it('routes prompts like tools, and resources by their URI', () => {
    const routes = new Routes([
      createServer('a', {
        prompts: [{ name: 'ask' }],
        resources: [{ uri: 'file:///same', name: 's' }],
        templates: [{ uriTemplate: 'db://{table}', name: 't' }],
      }),
      createServer('b', {
        prompts: [{ name: 'ask' }],
        resources: [{ uri: 'file:///same', name: 's' }],
        templates: [{ uriTemplate: 'db://{table}', name: 't' }],
      }),
    ])
    expect(routes.prompts.map(({ name }) => name)).toEqual(['a_ask', 'b_ask'])
    expect(routes.findPrompt('b_ask')).toMatchObject({ provider: 'b', own: 'ask' })
    expect(routes.resources.map(({ uri }) => uri)).toEqual(['file:///same', 'switchboard+b:file:///same'])
    expect(routes.findResource('switchboard+b:file:///same')).toEqual({ provider: 'b', uri: 'file:///same' })
    expect(routes.findResource('db://users')).toEqual({ provider: 'a', uri: 'db://users' })
    expect(routes.findResource('switchboard+b:db://users')).toEqual({ provider: 'b', uri: 'db://users' })
    expect(routes.templates).toMatchObject([
      { uriTemplate: 'db://{table}', server: 'a' },
      { uriTemplate: 'switchboard+b:db://{table}', server: 'b', own: 'db://{table}' },
    ])
  })

  it('suggests the nearest tools for a name that is none', () => {
    const routes = new Routes([createServer('fs', tools('read_file', 'write_file', 'list'))])
    expect(routes.suggestTools('fs_raed_file')[0]).toBe('fs_read_file')
    expect(routes.suggestTools('entirely different')).toEqual([])
  })
})
