import { createTraceId, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createFileLogger, type Logger, logFileName } from '@switchboard/telemetry'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import type { PackInstance } from '@switchboard/toolkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool, openPack } from '../helpers/switchboard-bench.ts'

const OLD = 'aaaa-000001'
const NEW = 'bbbb-000002'

let directory: TemporaryDirectory
let daemon: Logger
let pack: PackInstance
const opened: Logger[] = []

beforeEach(async () => {
  directory = await createTemporaryDirectory()
  daemon = open('daemon', 'cccc-000003')
  pack = openPack({ logs: { directory: directory.path, own: daemon } })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()))
  await directory.remove()
})

function open(runtime: 'daemon' | 'front' | 'extension', inst: string): Logger {
  const log = createFileLogger({
    directory: directory.path,
    file: logFileName({ runtime, inst }),
    inst,
    level: 'debug',
  })
  opened.push(log)
  return log
}

async function getLogs(args: JsonObject = {}): Promise<{ text: string; data: JsonObject; messages: unknown[] }> {
  const { text, data } = await callTool(pack, 'debug_get_logs', args)
  const lines = Array.isArray(data.lines) ? data.lines : []
  return { text, data, messages: lines.filter(isJsonObject).map(({ msg }) => msg) }
}

/** Each step is on disk before the next, as it is with processes that end one after the other. */
async function simulateReload(): Promise<void> {
  const step = async (log: Logger, cat: string, msg: string): Promise<void> => {
    log.info(cat, msg)
    await log.flush()
    // Lines are put in order by the millisecond.
    const begun = Date.now()
    while (Date.now() === begun) await new Promise((resolve) => setImmediate(resolve))
  }
  const [oldExtension, oldFront] = [open('extension', OLD), open('front', OLD)]
  await step(oldExtension, 'ext.activate', 'activated')
  await step(oldFront, 'mcp.init', 'front started')
  for (const text of ['registration disposed', 'shut down', 'yielded', 'provider disposed']) {
    await step(oldExtension, 'ext.deactivate', text)
  }
  await step(oldFront, 'mcp.dispose', 'stdin EOF detected, shutting down')
  await step(open('extension', NEW), 'ext.activate', 'activated again')
  await step(open('front', NEW), 'mcp.init', 'new front started')
}

describe('debug_get_logs', () => {
  it('tells the whole story of a reload in one call, in order', async () => {
    await simulateReload()
    const { messages, text } = await getLogs()
    expect(messages).toEqual([
      'activated',
      'front started',
      'registration disposed',
      'shut down',
      'yielded',
      'provider disposed',
      'stdin EOF detected, shutting down',
      'activated again',
      'new front started',
    ])
    expect(text).toMatch(/^9 lines\n/)
    expect(text).toContain(`mcp-${OLD} mcp.dispose: stdin EOF detected, shutting down\n`)
  })

  it('filters by instance, category, level, source, text, trace and time', async () => {
    await simulateReload()
    const trace = createTraceId()
    daemon.child({ traceId: trace }).warn('pool.restart', 'a server fell', { server: 'Files' })
    expect((await getLogs({ inst: NEW })).messages).toEqual(['activated again', 'new front started'])
    expect((await getLogs({ cat: 'mcp.init' })).messages).toEqual(['front started', 'new front started'])
    expect((await getLogs({ level: 'warn' })).messages).toEqual(['a server fell'])
    expect((await getLogs({ source: 'daemon' })).messages).toEqual(['a server fell'])
    expect((await getLogs({ source: 'mcp-*', grep: 'EOF' })).messages).toEqual(['stdin EOF detected, shutting down'])
    expect((await getLogs({ grep: 'files' })).messages).toEqual(['a server fell'])
    expect((await getLogs({ trace_id: trace })).messages).toEqual(['a server fell'])
    expect((await getLogs({ until: '1h' })).messages).toEqual([])
    expect((await getLogs({ since: '1h', limit: 2 })).messages).toEqual(['new front started', 'a server fell'])
  })

  it('shows what its own process logged just before', async () => {
    daemon.info('pool.start', 'just now')
    expect((await getLogs()).messages).toEqual(['just now'])
  })

  it('returns the newest hundred, or as many as it is asked for, and says that there are more', async () => {
    for (let line = 1; line <= 130; line++) daemon.info('x', `line ${line}`)
    const { messages, text, data } = await getLogs()
    expect([messages.length, messages[0], messages.at(-1)]).toEqual([100, 'line 31', 'line 130'])
    expect(text.split('\n')[0]).toBe('100 lines; older lines were left out: limit 100')
    expect(data).toMatchObject({ truncated: true, count: 100 })
    expect((await getLogs({ limit: 130 })).data).toMatchObject({ truncated: false, count: 130 })
  })

  it('is bounded in bytes as well: the oldest lines go', async () => {
    for (let line = 1; line <= 100; line++) daemon.info('x', `${line} ${'y'.repeat(1_900)}`)
    const { data, text, messages } = await getLogs()
    expect(JSON.stringify(data).length).toBeLessThan(110_000)
    expect(String(messages.at(-1))).toMatch(/^100 /)
    expect(text.split('\n')[0]).toMatch(/^\d\d lines; \d\d older lines were left out: 100000 bytes$/)
  })

  it('says that there is nothing rather than failing', async () => {
    expect((await getLogs({ cat: 'nothing' })).text).toBe('0 lines')
  })

  it.each<[JsonObject, string]>([
    [{ since: 'soon' }, 'since must be a time, not "soon"'],
    [{ since: '' }, 'since must be'],
    [{ cat: 7 }, 'cat must be'],
    [{ inst: 'x'.repeat(61) }, 'inst must be'],
    [{ limit: 5_000 }, 'limit must be an integer, at least 1, at most 1000, not 5000'],
    [{ limit: 1.5 }, 'limit must be an integer, not 1.5'],
    [{ limit: '3' }, 'limit must be an integer, not "3"'],
    [{ level: 'fatal' }, 'level must be one of "debug", "info", "warn", "error", not "fatal"'],
    [{ limt: 3 }, 'limt is not a parameter (did you mean "limit"?)'],
    [{ follow: true }, 'follow is not a parameter (known: since, until, level, cat'],
    [{ constructor: 1 }, 'constructor is not a parameter'],
  ])('refuses %j and names the parameter', async (args, message) => {
    const { text, error } = await callTool(pack, 'debug_get_logs', args)
    expect(text).toContain('[invalid_arguments] The arguments of debug_get_logs are wrong: ')
    expect(error).toMatchObject({
      code: 'invalid_arguments',
      executed: false,
      message: expect.stringContaining(message),
      details: { fields: [{ field: Object.keys(args)[0] }] },
    })
  })

  it('takes what is null for left out', async () => {
    daemon.info('x', 'one line')
    expect((await getLogs({ level: null, limit: null })).messages).toEqual(['one line'])
  })

  it('ends when its caller is gone, although no line has matched', async () => {
    for (let line = 1; line <= 100; line++) daemon.info('x', `line ${line}`)
    const signal = AbortSignal.abort(new Error('the caller is gone'))
    const { error } = await callTool(pack, 'debug_get_logs', { grep: 'not there' }, { signal })
    expect(error).toMatchObject({ code: 'E_CANCELLED', message: expect.stringContaining('the caller is gone') })
  })
})
