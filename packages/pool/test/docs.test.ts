/** The pages about the pool say what the code does: fences are compiled, codes exist, limits are the real ones. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RESTART_GRACES, STOP_GRACES } from '@switchboard/process'
import { ERROR_CODES } from '@switchboard/protocol/errors'
import { MAX_JSON_DEPTH } from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'
import { checkPoolConfig } from '../src/config/pool-config.ts'
import { MAX_ENTRIES, MAX_OWN_ANSWER_BYTES, MAX_PAGES } from '../src/connection/catalog-bounds.ts'
import { GHOST_MS } from '../src/connection/question-origin.ts'
import { McpPool } from '../src/mcp-pool.ts'
import { SHARED_POLICY } from '../src/supervision/policy.ts'
import { CONNECT_TIMEOUT_MS } from '../src/transport/http/http-client.ts'
import { MAX_MESSAGE_BYTES } from '../src/transport/transport.ts'
import { ASK_TIMEOUT_MS } from '../src/upstream/ask-back.ts'
import { KEPT_LINES } from '../src/upstream/output-tail.ts'

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
}

function readRegions(source: string): string[] {
  return [...source.matchAll(/^ *\/\/ #region .*\n([\s\S]*?)^ *\/\/ #endregion$/gm)].map(([, body = '']) => {
    const lines = body.trimEnd().split('\n')
    const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
    return lines.map((line) => line.slice(Math.min(...indents))).join('\n')
  })
}

function readFences(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, body = '']) =>
    body.trimEnd(),
  )
}

/** The rows of the table whose heading row begins so, by their first cell. */
function readTable(page: string, heading: string): Map<string, string[]> {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const rows = lines.slice(start + 2, end).map((line) => line.split('|').slice(1, -1))
  return new Map(rows.map(([first = '', ...rest]) => [first.trim(), rest.map((cell) => cell.trim())]))
}

function listMethods(): string[] {
  return Object.getOwnPropertyNames(McpPool.prototype).filter((name) => name !== 'constructor')
}

describe('docs/pool.md', () => {
  const page = read('docs/pool.md')

  it('shows only code that is compiled in the example, and all of it', () => {
    const fences = readFences(page, 'ts')
    expect(fences).toHaveLength(page.match(/^```ts/gm)?.length ?? 0)
    expect(fences.toSorted()).toEqual(readRegions(read('examples/pool-library/src/snippets.ts')).toSorted())
  })

  it('documents every public method', () => {
    const documented = [...readTable(page, 'method').keys()].join(' ')
    expect(listMethods().filter((name) => !documented.includes(`\`${name}(`))).toEqual([])
  })

  it('names the limits that the code has', () => {
    const { servers, startParallelism } = checkPoolConfig({ mcpServers: { a: { command: 'a' } } })
    const [server] = servers
    if (server === undefined) throw new Error('The configuration holds no server')
    const seconds = (ms: number): string => `${ms / 1000} s`
    const limits = readTable(page, 'limit')
    const shown = Object.fromEntries([...limits].map(([name, [value]]) => [name, value]))
    expect(shown).toMatchObject({
      'budget of a call, waiting included': seconds(server.timeout),
      'budget of a handshake': seconds(server.initTimeout),
      'wait of a call for a restart': seconds(server.restartWait),
      'calls in flight on one server': String(server.concurrency),
      'handshakes at once': String(startParallelism),
      'one message': `${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`,
      'nesting of a message': `${MAX_JSON_DEPTH} levels`,
      'a message that no call waits for: a page of a list, a handshake, a notification': `${MAX_OWN_ANSWER_BYTES / 1024 / 1024} MiB`,
      'tools, prompts; resources; resource templates of one server': [
        MAX_ENTRIES.tools,
        MAX_ENTRIES.resources,
        MAX_ENTRIES.resourceTemplates,
      ]
        .map((most) => most.toLocaleString('en'))
        .join('; '),
      'pages of a list, all within the budget of one': MAX_PAGES.toLocaleString('en'),
      'stderr lines kept': String(KEPT_LINES),
      'connecting to a remote server': seconds(CONNECT_TIMEOUT_MS),
      "an answer of the user's side": `${ASK_TIMEOUT_MS / 60_000} min`,
      'a cancelled call counts as in flight': seconds(GHOST_MS),
      'stopping: stdin end to SIGTERM': seconds(STOP_GRACES.input),
      'stopping: SIGTERM to SIGKILL': seconds(STOP_GRACES.terminate),
      'restarting: SIGTERM to SIGKILL': seconds(RESTART_GRACES.terminate),
    })
  })

  it('names the waits that the policy has', () => {
    const text = page.replaceAll(/\s+/g, ' ')
    const inWords = (values: readonly number[]): string => values.join(', ').replace(/, (\d+)$/, ' and $1')
    expect(text).toContain(`after ${inWords(SHARED_POLICY.firstTries)} ms`)
    expect(text).toContain(`restarts are ${inWords(SHARED_POLICY.schedule.map((ms) => ms / 1000))} s`)
    expect(text).toContain(`after ${SHARED_POLICY.stableAfter / 1000} s of being ready`)
  })
})

describe('docs/troubleshooting.md', () => {
  const page = read('docs/troubleshooting.md')
  const known = new Set<string>(ERROR_CODES)

  it('has a code of the catalogue in every heading that is a message; the others are what a person sees', () => {
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, text = '']) => text)
    const codes = headings.filter((text) => text.includes('`')).map((text) => /^`(\w+)`: ./.exec(text)?.[1] ?? text)
    expect(codes.filter((code) => !known.has(code))).toEqual([])
    expect(codes).toEqual(expect.arrayContaining(['not_installed', 'restart_failed', 'server_exited', 'timeout']))
  })

  it('names no code that does not exist', () => {
    const named = [...page.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code = '']) => code)
    expect(named.filter((code) => !known.has(code))).toEqual([])
  })

  it('quotes messages of the configuration as they are', () => {
    const [example = ''] = readFences(page, 'text').filter((fence) => fence.startsWith('mcpServers.'))
    const env = { command: 'x', env: { TOKEN: `\${TRACKER_TOKEN}` } }
    const entries = [{ command: 'x', timout: '1s' }, { command: 'x', url: 'https://example.com' }, env]
    const messages = entries.map((tracker) => {
      try {
        checkPoolConfig({ mcpServers: { tracker } }, { env: {} })
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
      return 'accepted'
    })
    expect(example.split('\n')).toEqual(messages)
  })
})
