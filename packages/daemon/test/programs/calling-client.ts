/**
 * A client that makes one long call and waits for its answer, until somebody kills it. Arguments: how it speaks, where
 * to, and the tool. It says `calling` when the request is on its way.
 */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { connectAgent, exchange, JSON_HEADERS } from '@switchboard/testkit/http'

const [transport = '', target = '', tool = ''] = process.argv.slice(2)
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'doomed', version: '1' } },
}
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const LIST = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }
const CALL = { jsonrpc: '2.0', id: 'long', method: 'tools/call', params: { name: tool, arguments: { ms: 120_000 } } }
const WITH_PROGRESS = { progressToken: 'p' }

process.stdout.write('calling\n')
switch (transport) {
  case 'legacy':
  case 'modern':
    await (await connectAgent(transport, target)).call(tool, { ms: 120_000, steps: 1 })
    break
  case 'legacy-streaming': {
    const agent = await connectAgent('legacy', target)
    const args = { ms: 120_000, steps: 1_200 }
    await agent.call(tool, args, { ...WITH_PROGRESS, onMessage: () => process.stdout.write('progress\n') })
    break
  }
  case 'websocket': {
    const socket = new WebSocket(target, 'mcp')
    socket.onopen = () => {
      for (const message of [INITIALIZE, INITIALIZED, CALL]) socket.send(JSON.stringify(message))
    }
    await new Promise((resolve) => socket.addEventListener('close', resolve))
    break
  }
  case 'sse':
    await exchange(target, {
      method: 'GET',
      onEvent: (event, data) => {
        if (event !== 'endpoint') return
        const send = (body: unknown) => exchange(new URL(data, target).href, { headers: JSON_HEADERS, body })
        void send(INITIALIZE)
          .then(() => send(INITIALIZED))
          .then(() => send(CALL))
      },
    })
    break
  case 'stdio': {
    const [command = '', ...args] = JSON.parse(target) as string[]
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`)
    send(INITIALIZE)
    send(INITIALIZED)
    send(LIST)
    createInterface(child.stdout).on('line', (line) => {
      // Servers come up in the background: the tool is there when the list has changed.
      if (line.includes('list_changed')) send(LIST)
      else if (line.includes(`"${tool}"`)) send(CALL)
    })
    await new Promise((resolve) => child.on('exit', resolve))
    break
  }
  default:
    throw new Error(`There is no transport ${transport}`)
}
