/** The library in one page: a server, its tools, a call, progress, a cancelled call, its state, and a clean end. */
import { fileURLToPath } from 'node:url'
import { type CallToolResult, McpPool, SwitchboardError } from '@switchboard/pool'

const clockServer = fileURLToPath(new URL('./clock-server.ts', import.meta.url))

// Nothing is started here. A wrong configuration throws at once, and the message names every mistake in it.
const pool = new McpPool({
  mcpServers: {
    clock: { command: process.execPath, args: [clockServer], timeout: '10s' },
    // A program that does not exist is a state of that one server; the others do not wait for it.
    missing: { command: 'no-such-program-anywhere', install: 'see its web page' },
  },
})

// Events announce what happens by itself: starts, losses, restarts, changed lists, and every call.
pool.onDidChange((event) => {
  if (event.type === 'state_changed' && event.state === 'ready') console.log(`${event.server} is ready`)
})

try {
  // Returns at once; the servers come up in the background. ready() waits until each is up or has failed once.
  pool.start()
  await pool.ready()

  for (const tool of pool.tools()) console.log(`tool ${tool.name}: ${tool.description}`)

  // A tool's own failure is a result with isError. Everything else that can go wrong is a SwitchboardError.
  console.log(`the time is ${textOf(await pool.call('clock_now', { zone: 'Europe/Zurich' }))}`)

  // Progress comes in order, and always before the result.
  const onProgress = ({ progress, total }: { progress: number; total?: number }): void =>
    console.log(`step ${progress} of ${total}`)
  console.log(textOf(await pool.call('clock_countdown', { from: 3 }, { onProgress, timeout: 5000 })))

  // An abort cancels that one call on the server as well. Nothing is restarted for it.
  const giveUp = new AbortController()
  await reportFailure(
    pool.call('clock_countdown', { from: 1000 }, { signal: giveUp.signal, onProgress: () => giveUp.abort() }),
  )

  // Arguments are checked before anything is sent, and a server that is not there says how to get it.
  await reportFailure(pool.call('clock_now', { zone: 'Europe/Zurich', format: '24h' }))
  await reportFailure(pool.call('missing_anything'))

  for (const { name, state, pid, era, calls, failures } of pool.status()) {
    console.log(`${name}: ${state}, pid ${pid ?? 'none'}, era ${era ?? 'unknown'}, calls ${calls}, failed ${failures}`)
  }
} finally {
  // When this is done, no process of ours is left.
  await pool.close()
}

async function reportFailure(call: Promise<CallToolResult>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof SwitchboardError)) throw error
    console.log(`${error.code}: ${error.message} (${error.hint})`)
  })
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}
