/**
 * Other gateways, from npm, in exactly these versions. They are installed on demand into a folder of their own that git
 * does not see: nothing of ours depends on them. Each is started as its documentation says, with its log turned down.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Contender, createServers, createUpstream, finishStart, writeJsonFile } from './contender.ts'
import { findFreePort, RunningProgram } from './running-program.ts'

const FOLDER = fileURLToPath(new URL('../../.peers', import.meta.url))

interface Peer extends Contender {
  readonly package: string
  readonly version: string
}

/** The command line of a peer's program; `loopback`: see loopback-only.ts. */
function createArguments(program: string, loopback: string): string[] {
  return ['--import', pathToFileURL(loopback).href, join(FOLDER, 'node_modules', program)]
}

function quote(text: string): string {
  return JSON.stringify(text)
}

export const PEERS: readonly Peer[] = [
  {
    name: 'mcp-proxy',
    package: 'mcp-proxy',
    version: '6.7.19',
    transport: 'http',
    eras: ['legacy', 'modern'],
    hasManyUpstreams: false,
    async start({ programs, folder, nodeOptions = [] }) {
      const port = await findFreePort()
      const { command, args } = createUpstream(programs)
      const program = new RunningProgram({
        command: process.execPath,
        args: [
          ...nodeOptions,
          ...createArguments('mcp-proxy/dist/bin/mcp-proxy.mjs', programs.loopbackOnly),
          ...['--host', '127.0.0.1', '--port', String(port), '--', command, ...args],
        ],
        env: { HOME: folder },
        cwd: folder,
      })
      return await finishStart(program, async () => {
        await program.waitForPort(port)
        return `http://127.0.0.1:${port}/mcp`
      })
    },
  },
  {
    name: 'supergateway',
    package: 'supergateway',
    version: '4.0.0',
    transport: 'http',
    eras: ['legacy'],
    hasManyUpstreams: false,
    async start({ programs, folder, nodeOptions = [] }) {
      const port = await findFreePort()
      const { command, args } = createUpstream(programs)
      const program = new RunningProgram({
        command: process.execPath,
        args: [
          ...nodeOptions,
          ...createArguments('supergateway/dist/index.js', programs.loopbackOnly),
          ...['--stdio', [command, ...args].map(quote).join(' '), '--outputTransport', 'streamableHttp', '--stateful'],
          ...['--port', String(port), '--logLevel', 'none'],
        ],
        env: { HOME: folder },
        cwd: folder,
      })
      return await finishStart(program, async () => {
        await program.waitForPort(port)
        return `http://127.0.0.1:${port}/mcp`
      })
    },
  },
  {
    name: 'mcp-hub',
    package: 'mcp-hub',
    version: '4.2.1',
    transport: 'sse',
    eras: [],
    hasManyUpstreams: true,
    async start({ programs, folder, upstreams, nodeOptions = [] }) {
      const port = await findFreePort()
      const config = await writeJsonFile(join(folder, 'mcp-hub.json'), createServers(programs, upstreams))
      const program = new RunningProgram({
        command: process.execPath,
        args: [
          ...nodeOptions,
          ...createArguments('mcp-hub/dist/cli.js', programs.loopbackOnly),
          ...['--port', String(port), '--config', config],
        ],
        env: { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
        cwd: folder,
      })
      return await finishStart(program, async () => {
        await program.waitForPort(port)
        return `http://127.0.0.1:${port}/mcp`
      })
    },
  },
  {
    name: 'mcporter',
    package: 'mcporter',
    version: '0.12.3',
    transport: 'http',
    eras: ['legacy'],
    hasManyUpstreams: true,
    async start({ programs, folder, upstreams, nodeOptions = [] }) {
      const port = await findFreePort()
      const servers = createServers(programs, upstreams, { lifecycle: 'keep-alive' })
      const config = await writeJsonFile(join(folder, 'mcporter.json'), servers)
      const program = createArguments('mcporter/dist/cli.js', programs.loopbackOnly)
      // The socket of its daemon lies below HOME, and its path must stay short.
      const env = { HOME: folder, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '', MCPORTER_CONFIG: config }
      const common = { command: process.execPath, env, cwd: folder }
      const daemon = new RunningProgram({
        ...common,
        args: [...program, '--config', config, 'daemon', 'start', '--foreground'],
      })
      const serve = new RunningProgram({
        ...common,
        args: [...nodeOptions, ...program, '--config', config, 'serve', '--http', String(port)],
      })
      const waitForUrl = async (): Promise<string> => {
        await serve.waitForPort(port)
        return `http://127.0.0.1:${port}/mcp`
      }
      return await finishStart(serve, waitForUrl, [daemon])
    },
  },
]

/** Rejects when npm does. */
export async function installPeers(peers: readonly Peer[], say: (line: string) => void): Promise<void> {
  const missing: string[] = []
  for (const { package: name, version } of peers) {
    if ((await readInstalledVersion(name)) !== version) missing.push(`${name}@${version}`)
  }
  if (missing.length === 0) return
  say(`installing ${missing.join(', ')} into bench/.peers`)
  await mkdir(FOLDER, { recursive: true })
  const wanted = peers.map(({ package: name, version }) => `${name}@${version}`)
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const isWindows = process.platform === 'win32'
  await promisify(execFile)('npm', ['install', '--prefix', FOLDER, ...options, ...wanted], { shell: isWindows })
}

async function readInstalledVersion(name: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8')
    return (JSON.parse(text) as { version: string }).version
  } catch {
    return undefined
  }
}
