/** Attaches to a Node process that runs already, by the port of its inspector or by its pid. */
import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { DebugError } from '../session/debug-error.ts'
import type { Attach, StartContext } from '../session/debug-session.ts'
import { ForeignProcess } from './debugged-process.ts'
import { cancelledError, InspectorClient } from './inspector-client.ts'
import { InspectorSession } from './inspector-session.ts'
import { connectInspector } from './inspector-socket.ts'
import { readText } from './node-command.ts'
import { type NameOptions, WorkspaceNames } from './script-table.ts'

const DEFAULT_PORT = 9229
const CONNECT_TIMEOUT_MS = 10_000
/** A process that is busy opens its inspector when it comes to it. */
const OPEN_TIMEOUT_MS = 10_000
const POLL_MS = 50
const LARGEST_ANSWER = 1_000_000

export async function attachNode(attach: Attach, context: StartContext): Promise<InspectorSession> {
  const { pid, port = DEFAULT_PORT, host = '127.0.0.1' } = attach
  const url =
    pid === undefined ? await readUrl(host, port, context.signal) : await openByPid(pid, attach, context.signal)
  const socket = await connectInspector(url, { signal: context.signal, timeout: CONNECT_TIMEOUT_MS })
  const client = new InspectorClient(socket)
  try {
    const found = await client.request('Runtime.evaluate', { expression: 'process.pid', returnByValue: true })
    const actual = typeof found.result.value === 'number' ? found.result.value : undefined
    if (pid !== undefined && actual !== undefined && actual !== pid) {
      throw new DebugError(
        'E_LAUNCH_FAILED',
        `The inspector at ${host}:${port} belongs to the process ${actual}, not to ${pid}. Attach by the port that ${pid} prints.`,
      )
    }
    const session = new InspectorSession({
      id: randomUUID(),
      name: `attached ${actual ?? port}`,
      language: 'node',
      client,
      process: new ForeignProcess(actual, false),
      names: new WorkspaceNames(context.workspace, readNames(attach)),
      settings: { breakpoints: new Map(), exceptions: 'none' },
    })
    await session.prepare()
    return session
  } catch (error) {
    client.close()
    throw error
  }
}

/** A `localRoot` alone, or the other alone, maps nothing: that is refused rather than ignored. */
function readNames({ cwd, options }: Attach): NameOptions {
  const { skipFiles } = options
  const remoteRoot = readText(options, 'remoteRoot')
  const localRoot = readText(options, 'localRoot') ?? (remoteRoot === undefined ? undefined : cwd)
  if (localRoot !== undefined && remoteRoot === undefined)
    throw new DebugError('E_INVALID_PARAMS', '"localRoot" needs "remoteRoot": the same folder where the program runs.')
  return { skipFiles, ...(localRoot === undefined || remoteRoot === undefined ? {} : { localRoot, remoteRoot }) }
}

async function openByPid(pid: number, attach: Attach, signal: AbortSignal): Promise<string> {
  const { port = DEFAULT_PORT, host = '127.0.0.1' } = attach
  if (process.platform === 'win32') {
    throw new DebugError(
      'E_UNSUPPORTED_CAPABILITY',
      'On Windows a running process cannot be asked to open its inspector. Start it with --inspect and attach by its port.',
    )
  }
  try {
    process.kill(pid, 'SIGUSR1')
  } catch (error) {
    throw new DebugError('E_LAUNCH_FAILED', `The process ${pid} cannot be reached: ${String(error)}.`, { cause: error })
  }
  for (const until = Date.now() + OPEN_TIMEOUT_MS; ; ) {
    try {
      return await readUrl(host, port, signal)
    } catch (error) {
      if (signal.aborted || Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

async function readUrl(host: string, port: number, signal: AbortSignal): Promise<string> {
  const fail = (why: string, cause?: unknown): DebugError =>
    new DebugError(
      'E_LAUNCH_FAILED',
      `There is no inspector at ${host}:${port}: ${why}. Start the program with --inspect=${port}.`,
      { cause },
    )
  const text = await new Promise<string>((resolve, reject) => {
    const request = get(
      { host, port, path: '/json/list', agent: false, signal, timeout: CONNECT_TIMEOUT_MS },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          body += chunk
          if (body.length > LARGEST_ANSWER) response.destroy(new Error('it sends too much'))
        })
        response.on('end', () => resolve(body))
        response.on('error', reject)
      },
    )
    request.on('timeout', () => request.destroy(new Error('it does not answer')))
    request.on('error', reject)
  }).catch((error: unknown) => {
    throw signal.aborted ? cancelledError() : fail(error instanceof Error ? error.message : String(error), error)
  })
  let targets: unknown
  try {
    targets = JSON.parse(text)
  } catch {
    throw fail('what answers is none')
  }
  const [first]: unknown[] = Array.isArray(targets) ? targets : []
  const path = /^ws:\/\/[^/]+(\/.*)$/.exec(
    String((first as Record<string, unknown> | undefined)?.webSocketDebuggerUrl),
  )?.[1]
  if (path === undefined) throw fail('what answers is none')
  return `ws://${host}:${port}${path}`
}
