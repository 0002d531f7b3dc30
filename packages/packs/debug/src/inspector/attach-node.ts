/** Attaches to a Node process that runs already, by the port of its inspector or by its pid. */
import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { errorMessage } from '@switchboard/base'
import { parsePlainJson } from '@switchboard/protocol/framing'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import type { Attach, StartContext } from '../engine/debug-session.ts'
import { ForeignProcess } from './debugged-process.ts'
import { cancelledError, InspectorClient } from './inspector-client.ts'
import { InspectorSession } from './inspector-session.ts'
import { connectInspector } from './inspector-socket.ts'
import { readTextOption } from './node-command.ts'
import { type NameOptions, WorkspaceNames } from './script-table.ts'

const DEFAULT_PORT = 9229
const CONNECT_TIMEOUT_MS = 10_000
/** A process that is busy opens its inspector when it comes to it. */
const OPEN_TIMEOUT_MS = 10_000
const ASK_AGAIN_MS = 1_000
const POLL_MS = 50
const PID_TIMEOUT_MS = 2_000
const LARGEST_ANSWER = 1_000_000

export async function attachNode(attach: Attach, context: StartContext): Promise<InspectorSession> {
  const { pid, port = DEFAULT_PORT, host = '127.0.0.1' } = attach
  const { url, isOpenedByUs } =
    pid === undefined
      ? { url: await readUrl(host, port, context.signal), isOpenedByUs: false }
      : await openByPid(pid, attach, context.signal)
  const socket = await connectInspector(url, { signal: context.signal, timeout: CONNECT_TIMEOUT_MS })
  const client = new InspectorClient(socket)
  try {
    const actual = await readPid(client)
    if (pid !== undefined && actual !== undefined && actual !== pid) {
      throw new ToolError(
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
      closesInspector: isOpenedByUs,
    })
    await session.prepare()
    return session
  } catch (error) {
    client.close()
    throw error
  }
}

/** One that just starts has an inspector before it has a `process`; another engine never has one. */
async function readPid(client: InspectorClient): Promise<number | undefined> {
  for (const until = Date.now() + PID_TIMEOUT_MS; ; ) {
    const { result } = await client.request('Runtime.evaluate', { expression: 'process.pid', returnByValue: true })
    if (typeof result.value === 'number') return result.value
    if (Date.now() > until) return undefined
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** A `localRoot` alone, or the other alone, maps nothing: that is refused rather than ignored. */
function readNames({ cwd, options }: Attach): NameOptions {
  const { skipFiles, libraries } = options
  const remoteRoot = readTextOption(options, 'remoteRoot')
  const localRoot = readTextOption(options, 'localRoot') ?? (remoteRoot === undefined ? undefined : cwd)
  if (localRoot !== undefined && remoteRoot === undefined)
    throw new WrongArguments([
      { field: 'localRoot', problem: 'needs remoteRoot: the same folder where the program runs' },
    ])
  return {
    skipFiles,
    libraries,
    ...(localRoot === undefined || remoteRoot === undefined ? {} : { localRoot, remoteRoot }),
  }
}

interface OpenInspector {
  readonly url: string
  /** It was closed before. Node tells its address to whoever asks, so it is closed again when we go. */
  readonly isOpenedByUs: boolean
}

async function openByPid(pid: number, attach: Attach, signal: AbortSignal): Promise<OpenInspector> {
  const { port = DEFAULT_PORT, host = '127.0.0.1' } = attach
  if (process.platform === 'win32') {
    throw new ToolError(
      'E_UNSUPPORTED_CAPABILITY',
      'On Windows a running process cannot be asked to open its inspector. Start it with --inspect and attach by its port.',
    )
  }
  const wasOpen = await readUrl(host, port, signal).then(
    () => true,
    () => false,
  )
  askToOpen(pid)
  const begun = Date.now()
  for (let hasAskedAgain = false; ; ) {
    try {
      return { url: await readUrl(host, port, signal), isOpenedByUs: !wasOpen }
    } catch (error) {
      if (signal.aborted || Date.now() > begun + OPEN_TIMEOUT_MS) throw error
      // One that is just closing its inspector does not hear the first time.
      if (!hasAskedAgain && Date.now() > begun + ASK_AGAIN_MS) {
        hasAskedAgain = true
        askToOpen(pid)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

function askToOpen(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR1')
  } catch (error) {
    throw new ToolError('E_LAUNCH_FAILED', `The process ${pid} cannot be reached: ${String(error)}.`, { cause: error })
  }
}

async function readUrl(host: string, port: number, signal: AbortSignal): Promise<string> {
  const fail = (why: string, cause?: unknown): ToolError =>
    new ToolError(
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
    throw signal.aborted ? cancelledError() : fail(errorMessage(error), error)
  })
  let targets: unknown
  try {
    targets = parsePlainJson(text)
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
