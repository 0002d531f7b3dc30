/** The daemon's own socket: what it answers, and what it makes of those who do not know its language. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { MAX_DURATION_MS } from '@switchboard/base'
import type { DaemonEvent, DaemonHealth, DaemonStatus } from '@switchboard/daemon/client'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { attachAgent, codeOf, connectTo, makeTree, openDaemon, pathsOf, VERSION } from '../helpers/daemon-bench.ts'
import { useWorkbench, WITH_LENS, type Workbench } from '../helpers/workbench.ts'

/** Bytes as they are, and whatever comes back. */
interface RawLine {
  readonly socket: Socket
  readonly lines: () => JsonObject[]
  readonly closed: Promise<unknown>
}

async function openRaw(bench: Workbench, where: { path: string } | { port: number; host: string }): Promise<RawLine> {
  const socket = connect(where)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  bench.defer(() => socket.destroy())
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  const lines = (): JsonObject[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return { socket, lines, closed }
}

describe('health and status', () => {
  const bench = useWorkbench()

  it('tell who runs, since when, and what there is', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: { fx: bench.fixture('fx') },
      profiles: { small: { search: true } },
    })
    const client = await connectTo(bench)
    const health = await client.request<DaemonHealth>('health')
    expect(health).toMatchObject({
      ok: true,
      pid: process.pid,
      version: VERSION,
      protocol: 1,
      epoch: daemon.info.epoch,
      state: 'running',
      queue: { pending: 0, running: 0, failed: 0 },
      recent_activity: { state: 'never_ran' },
    })
    await daemon.switchboard.pool.ready()
    const status = await client.request<DaemonStatus>('status')
    expect(status.daemon).toMatchObject({
      home: bench.home.path,
      config_file: pathsOf(bench).configFile,
      endpoint: daemon.info.endpoint,
      http: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      tcp: null,
    })
    expect(status.configuration).toEqual({ state: 'ok' })
    expect(status.servers).toMatchObject([{ name: 'fx', state: 'ready' }])
    expect(status.profiles[0]).toMatchObject({ name: 'small', tools: expect.any(Number) })
    expect(status.instances).toEqual([])
  })

  it('are answered while files are read, and await_idle tells when that is done', async () => {
    await openDaemon(bench, WITH_LENS)
    const client = await connectTo(bench)
    const root = await makeTree(bench, 300)
    expect(await client.request('enqueue_scan', { root })).toEqual({ enqueued: 1, deduped: 0 })
    expect(await client.request('health')).toMatchObject({ ok: true, recent_activity: { state: 'running' } })
    const early = await client.request('await_idle', { timeout_ms: 0 })
    expect(early).toMatchObject({ idle: false, timed_out: true, recent_activity: { state: 'running' } })
    const done = await client.request('await_idle', { timeout_ms: 20_000 })
    expect(done).toMatchObject({
      idle: true,
      timed_out: false,
      queue: { pending: 0, running: 0, failed: 0 },
      recent_activity: { state: 'idle', items: 300, errors: 0, idle_since: expect.any(String) },
    })
    // What is known of them is not read again.
    await client.request('enqueue_scan', { root })
    expect(await client.request('await_idle', { timeout_ms: 20_000 })).toMatchObject({
      recent_activity: { state: 'idle' },
    })
    await writeFile(join(root, '7.txt'), 'changed')
    expect(await client.request('notify_file_changed', { path: join(root, '7.txt') })).toEqual({
      enqueued: 1,
      deduped: 0,
    })
    const after = await client.request('await_idle', { timeout_ms: 20_000 })
    expect(after).toMatchObject({ recent_activity: { state: 'idle', items: 1 } })
  })

  it('refuse files that lie in no indexed folder, and paths that are none', async () => {
    await openDaemon(bench, WITH_LENS)
    const client = await connectTo(bench)
    await expect(client.request('enqueue_files', { paths: ['a/b'] })).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('absolute'),
    })
    await expect(client.request('notify_file_changed', { path: '/nowhere/a' })).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('no folder that is indexed'),
    })
  })

  it('refuse files where the lens is switched off', async () => {
    await openDaemon(bench, { packs: { lens: { enabled: false } } })
    const client = await connectTo(bench)
    for (const [method, params] of [
      ['enqueue_files', { paths: ['/a'] }],
      ['enqueue_scan', { root: '/a' }],
      ['notify_file_changed', { path: '/a' }],
    ] as const) {
      await expect(client.request(method, params)).rejects.toMatchObject({ code: 'index_unavailable' })
    }
  })
})

describe('tools', () => {
  const bench = useWorkbench()

  it('are listed and found, of a server that was never started too', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: { fx: bench.fixture('fx'), slow: bench.fixture('slow', {}, { start: 'lazy' }) },
    })
    await daemon.switchboard.pool.ready()
    const client = await connectTo(bench)
    const { tools } = await client.request<{ tools: { name: string }[] }>('tools')
    expect(tools.map(({ name }) => name)).toContain('fx_echo')
    expect(await client.request('find_tool', { name: 'slow_echo' })).toMatchObject({
      tool: { name: 'slow_echo', server: 'slow' },
    })
    await expect(client.request('find_tool', { name: 'fx_ecko' })).rejects.toMatchObject({
      code: 'unknown_tool',
      hint: expect.stringContaining('fx_echo'),
    })
    await expect(client.request('restart_server', { server: 'fix' })).rejects.toMatchObject({ code: 'unknown_server' })
    const before = daemon.status().servers[0]?.pid
    expect(await client.request('restart_server', { server: 'fx' })).toEqual({})
    await waitFor(() => {
      const { pid, state } = daemon.status().servers[0] ?? {}
      return state === 'ready' && pid !== before
    })
  })
})

describe('find_tool on a daemon that has just started', () => {
  const bench = useWorkbench()

  it('waits for the server that the name may belong to, and tells why one does not come up', async () => {
    await openDaemon(bench, {
      mcpServers: {
        late: bench.fixture('late', { startDelayMs: 300 }),
        gone: { command: 'switchboard-no-such-command' },
      },
    })
    const client = await connectTo(bench)
    expect(await client.request('find_tool', { name: 'late_echo' })).toMatchObject({ tool: { name: 'late_echo' } })
    await expect(client.request('find_tool', { name: 'gone_echo' })).rejects.toMatchObject({ code: 'not_installed' })
    await expect(client.request('find_tool', { name: 'late_ecko' })).rejects.toMatchObject({
      code: 'unknown_tool',
      hint: expect.stringContaining('late_echo'),
    })
  })
})

describe('events', () => {
  const bench = useWorkbench()

  it('reach whoever subscribed: servers, instances and the end', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') } })
    await daemon.switchboard.pool.ready()
    const client = await connectTo(bench)
    const events: DaemonEvent[] = []
    client.onEvent((event) => events.push(event))
    await client.subscribe()
    const agent = await attachAgent(bench)
    agent.close()
    await waitFor(() => events.some(({ type }) => type === 'instance_detached'))
    await client.request('restart_server', { server: 'fx' })
    await waitFor(() => events.some((event) => event.type === 'state_changed' && event.state === 'ready'))
    const [attached, detached] = events
    expect(attached).toMatchObject({ type: 'instance_attached', instance: { instance: agent.instance, role: 'front' } })
    expect(detached).toEqual({ type: 'instance_detached', instance: agent.instance })
    await daemon.close()
    expect(await client.closed).toBe('the daemon closed the connection')
    expect(events.map(({ type }) => type)).toContain('stopping')
  })
})

describe('somebody who does not know the language', () => {
  const bench = useWorkbench()

  it('gets an error for each line, and the connection goes on', async () => {
    const { daemon } = await openDaemon(bench)
    const raw = await openRaw(bench, { path: daemon.info.endpoint })
    const sent = [
      'no json',
      '[]',
      '"text"',
      '{"jsonrpc":"2.0","id":{},"method":"health"}',
      '{"jsonrpc":"2.0","id":1,"method":"healht","trace_id":"0af7651916cd43dd8448eb211c80319c"}',
      '{"jsonrpc":"2.0","id":2,"method":"find_tool"}',
      '{"jsonrpc":"2.0","id":3,"method":"find_tool","params":[]}',
      '{"jsonrpc":"2.0","id":4,"method":"enqueue_files","params":{"paths":[]}}',
      '{"jsonrpc":"2.0","id":5,"method":"shutdown","params":{"graceful":"yes"}}',
      '{"jsonrpc":"2.0","id":6,"method":"await_idle","params":{"timeout_ms":-1}}',
      '{"jsonrpc":"2.0","method":"shutdown"}',
      '{"jsonrpc":"2.0","id":7,"method":"health"}',
    ]
    raw.socket.write(`${sent.join('\n')}\n`)
    await waitFor(() => raw.lines().length === 11)
    const told = raw
      .lines()
      .filter(({ error }) => error !== undefined)
      .map((line) => [line.id, isJsonObject(line.error) ? line.error.code : undefined, codeOf(line)])
      .sort(([left], [right]) => Number(left) - Number(right))
    expect(told).toEqual([
      [null, -32700, 'invalid_request'],
      [null, -32600, 'invalid_request'],
      [null, -32600, 'invalid_request'],
      [null, -32600, 'invalid_request'],
      [1, -32601, 'unknown_method'],
      [2, -32602, 'invalid_arguments'],
      [3, -32602, 'invalid_arguments'],
      [4, -32602, 'invalid_arguments'],
      [5, -32602, 'invalid_arguments'],
      [6, -32602, 'invalid_arguments'],
    ])
    expect(raw.lines().find(({ id }) => id === 1)).toMatchObject({
      error: {
        data: {
          meta: {
            requestId: '1',
            traceId: '0af7651916cd43dd8448eb211c80319c',
            timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
            durationMs: expect.any(Number),
          },
        },
      },
    })
    const messageOf = (line: JsonObject | undefined) => (isJsonObject(line?.error) ? line.error.message : undefined)
    const expected = [
      'The arguments of find_tool are wrong: name is required (a text that is not empty)',
      'The arguments of find_tool are wrong: params must be an object, not an array of 0',
      'The arguments of enqueue_files are wrong: paths must be a list of texts, with at least one, not an array of 0',
      `The arguments of await_idle are wrong: timeout_ms must be milliseconds from 0 to ${MAX_DURATION_MS}, not -1`,
    ]
    expect([2, 3, 4, 6].map((wanted) => messageOf(raw.lines().find(({ id }) => id === wanted)))).toEqual(
      expected.map((message) => `${message}. Correct the named parameters and call again.`),
    )
    expect(JSON.stringify(raw.lines().find(({ id }) => id === 1))).toContain('Did you mean \\"health\\"?')
    expect(daemon.state).toBe('running')
  })

  it('is cut off when a line never ends', async () => {
    const { daemon } = await openDaemon(bench)
    const raw = await openRaw(bench, { path: daemon.info.endpoint })
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const feed = (): void => {
      while (!raw.socket.destroyed && raw.socket.write(chunk)) {}
    }
    raw.socket.on('drain', feed)
    feed()
    await raw.closed
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true })
  })

  it('may hang up in the middle of anything', async () => {
    const { daemon } = await openDaemon(bench, WITH_LENS)
    const root = await makeTree(bench, 200)
    for (const line of ['{"jsonrpc":"2.0","id":1,"me', '{"jsonrpc":"2.0","id":1,"method":"await_idle"}\n']) {
      const raw = await openRaw(bench, { path: daemon.info.endpoint })
      await daemon.queue.enqueue([{ kind: 'scan', path: root, priority: 'normal' }])
      raw.socket.write(line, () => raw.socket.resetAndDestroy?.())
      raw.socket.destroy()
      await raw.closed
    }
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true })
  })
})

describe('over TCP', () => {
  const bench = useWorkbench()

  async function openTcp(): Promise<{
    where: { port: number; host: string }
    token: string
    isRunning: () => boolean
  }> {
    const { readFile, stat } = await import('node:fs/promises')
    const { daemon } = await openDaemon(bench, { daemon: { tcp: { port: 0 } } })
    const { tcp } = daemon.status().daemon
    if (tcp === null || !('port' in tcp)) throw new Error('there is no TCP')
    const file = pathsOf(bench).ipcToken
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    const token = (await readFile(file, 'utf8')).trim()
    return { where: { port: tcp.port, host: '127.0.0.1' }, token, isRunning: () => daemon.state === 'running' }
  }

  it('a plain POST of a web page reaches no method', async () => {
    const { where, isRunning } = await openTcp()
    const raw = await openRaw(bench, where)
    const body = '{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    raw.socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}\n`,
    )
    await raw.closed
    expect(raw.lines()).toEqual([])
    expect(isRunning()).toBe(true)
  })

  it.each([
    ['a wrong one', (token: string) => token.replace(/./g, '0')],
    ['a longer one', (token: string) => `${token}0`],
    ['none at all', () => ''],
    ['one that never ends', () => 'x'.repeat(4096)],
  ])('%s in place of the token ends the connection without a word', async (_what, make) => {
    const { where, token, isRunning } = await openTcp()
    const raw = await openRaw(bench, where)
    raw.socket.write(`${make(token)}\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n`)
    await raw.closed
    expect(raw.lines()).toEqual([])
    expect(isRunning()).toBe(true)
  })

  it('the right token opens every method, and the first line that is no JSON ends it', async () => {
    const { where, token } = await openTcp()
    const raw = await openRaw(bench, where)
    raw.socket.write(`${token}\n{"jsonrpc":"2.0","id":1,"method":"health"}\n`)
    await waitFor(() => raw.lines().length === 1)
    expect(raw.lines()[0]).toMatchObject({ id: 1, result: { ok: true } })
    raw.socket.write('what?\n{"jsonrpc":"2.0","id":2,"method":"health"}\n')
    await raw.closed
    expect(raw.lines()).toHaveLength(1)
  })

  it('who says nothing is not waited for', async () => {
    const { where } = await openTcp()
    await (await openRaw(bench, where)).closed
  })

  it('a port that is taken leaves the daemon without TCP, and it says so', async () => {
    const { createServer } = await import('node:net')
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    bench.defer(() => other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { daemon } = await openDaemon(bench, { daemon: { tcp: { port } } })
    expect(daemon.status().daemon.tcp).toMatchObject({ error: expect.stringContaining(`127.0.0.1:${port}`) })
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true })
  })
})
