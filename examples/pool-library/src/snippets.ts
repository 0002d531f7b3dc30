/** The code that docs/pool.md shows, compiled. A region is one fence of the page; a test compares the two. */
import { type AskRequests, type AskResponses, loadPoolConfig, McpPool, SwitchboardError } from '@switchboard/pool'

export async function useInShort(): Promise<void> {
  // #region in-short
  const pool = new McpPool({
    mcpServers: {
      memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      tracker: { url: 'https://example.com/mcp', timeout: '2m' },
    },
  })
  pool.start()
  await pool.ready()
  const result = await pool.call('memory_search_nodes', { query: 'Ada' })
  console.log(result.content)
  await pool.close()
  // #endregion
}

export async function loadFile(): Promise<void> {
  // #region load-file
  const config = await loadPoolConfig({ file: 'switchboard.json' })
  await using pool = new McpPool(config, { cacheDirectory: '.cache/switchboard' })
  pool.start()
  // #endregion
}

export async function callWithOptions(pool: McpPool): Promise<void> {
  // #region call-options
  const giveUp = new AbortController()
  process.once('SIGINT', () => giveUp.abort())
  await pool.call(
    'shell_run',
    { command: 'make test' },
    {
      signal: giveUp.signal,
      timeout: 10 * 60_000,
      onProgress: ({ progress, total }) => console.log(`${progress} of ${total ?? '?'}`),
      onLog: ({ level, data }) => console.log(level, data),
    },
  )
  // #endregion
}

export async function handleErrors(pool: McpPool): Promise<void> {
  // #region errors
  try {
    const result = await pool.call('files_write_file', { path: 'notes.txt', content: 'Hello' })
    if (result.isError) console.log('The tool itself failed:', result.content)
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error
    console.log(error.code, error.message, error.hint)
    if (error.retryable && error.executed === false) console.log(`safe to repeat in ${error.retryAfterMs ?? 0} ms`)
  }
  // #endregion
}

export function answerQuestions(): McpPool {
  // #region ask
  async function ask(requests: AskRequests): Promise<AskResponses> {
    const answers: Record<string, { [key: string]: unknown }> = {}
    for (const [key, { method }] of Object.entries(requests)) {
      if (method === 'roots/list') answers[key] = { roots: [{ uri: 'file:///home/you/project' }] }
      if (method === 'elicitation/create') answers[key] = { action: 'decline' }
    }
    return answers
  }
  const pool = new McpPool({ mcpServers: { files: { command: 'mcp-server-filesystem' } } }, { ask })
  // #endregion
  return pool
}

export function listen(pool: McpPool): void {
  // #region events
  const subscription = pool.onDidChange((event) => {
    switch (event.type) {
      case 'state_changed':
        return console.log(`${event.server}: ${event.previous} → ${event.state}`)
      case 'catalog_changed':
        return console.log(`${event.server} has new ${event.parts.join(', ')}`)
      case 'resource_updated':
        return console.log(`${event.server} changed ${event.uri}`)
      case 'tool_called':
        return console.log(`${event.tool}: ${event.outcome} after ${event.durationMs} ms`)
    }
  })
  subscription.dispose()
  // #endregion
}

export async function subscribe(pool: McpPool): Promise<void> {
  // #region subscribe
  await pool.request('files', 'resources/subscribe', { uri: 'file:///home/you/project/notes.txt' })
  // #endregion
}

export async function keepApart(): Promise<void> {
  // #region private
  const pool = new McpPool({ mcpServers: { browser: { command: 'browser-server', shared: false } } })
  await pool.call('browser_open', { url: 'https://example.com' }, { caller: { instance: 'window-1' } })
  await pool.call('browser_open', { url: 'https://example.org' }, { caller: { instance: 'window-2' } })
  await pool.release('window-1')
  // #endregion
}

export async function changeConfiguration(pool: McpPool): Promise<void> {
  // #region reconfigure
  await pool.reconfigure(await loadPoolConfig({ file: 'switchboard.json' }))
  // #endregion
}

export async function stop(pool: McpPool): Promise<void> {
  // #region close
  process.once('SIGTERM', () => void pool.close({ drain: 5000 }))
  process.on('SIGINT', () => void pool.close({ force: true }))
  // #endregion
}
