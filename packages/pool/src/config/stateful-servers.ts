/**
 * Well-known servers that keep state for the one client they expect: with one process for all, two windows would drive the
 * same page or think one chain of thoughts. They are private unless `shared` says otherwise. By the names of their packages,
 * of the programs that these bring, and of their images.
 */
const BROWSER = 'it drives a browser'
const THOUGHTS = 'it keeps one chain of thoughts'
const DEVICE = 'it drives a device'

const STATEFUL: ReadonlyMap<string, string> = new Map([
  ['@playwright/mcp', BROWSER],
  ['playwright-mcp', BROWSER],
  ['@executeautomation/playwright-mcp-server', BROWSER],
  ['playwright-mcp-server', BROWSER],
  ['@automatalabs/mcp-server-playwright', BROWSER],
  ['mcp-server-playwright', BROWSER],
  ['mcr.microsoft.com/playwright/mcp', BROWSER],
  ['mcp/playwright', BROWSER],
  ['@modelcontextprotocol/server-puppeteer', BROWSER],
  ['@hisma/server-puppeteer', BROWSER],
  ['puppeteer-mcp-server', BROWSER],
  ['mcp-server-puppeteer', BROWSER],
  ['mcp/puppeteer', BROWSER],
  ['chrome-devtools-mcp', BROWSER],
  ['firefox-devtools-mcp', BROWSER],
  ['@browsermcp/mcp', BROWSER],
  ['mcp-server-browsermcp', BROWSER],
  ['@browserbasehq/mcp-server-browserbase', BROWSER],
  ['mcp-server-browserbase', BROWSER],
  ['@agent-infra/mcp-server-browser', BROWSER],
  ['mcp-server-browser', BROWSER],
  ['@angiejones/mcp-selenium', BROWSER],
  ['mcp-selenium', BROWSER],
  ['@modelcontextprotocol/server-sequential-thinking', THOUGHTS],
  ['mcp-server-sequential-thinking', THOUGHTS],
  ['mcp-sequentialthinking-tools', THOUGHTS],
  ['mcp/sequentialthinking', THOUGHTS],
  ['@mobilenext/mobile-mcp', DEVICE],
  ['mcp-server-mobile', DEVICE],
])

/** What it keeps for one client, as half a sentence; undefined: nothing is known of it. */
export function findClientState(command: string, args: readonly string[]): string | undefined {
  for (const word of [command, ...args]) {
    for (const name of listNames(word.replaceAll('\\', '/'))) {
      const state = STATEFUL.get(name)
      if (state !== undefined) return state
    }
  }
  return undefined
}

/** Of `@playwright/mcp@latest`, `…/node_modules/@playwright/mcp/cli.js`, `/usr/bin/playwright-mcp` or `mcp/playwright:1`. */
function listNames(word: string): string[] {
  const version = word.indexOf('@', 1)
  const tag = word.lastIndexOf(':')
  const [, , inPackage] = /^(.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(word) ?? []
  const file = word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|ps1)$/i, '')
  return [
    word,
    ...(version > 0 ? [word.slice(0, version)] : []),
    ...(tag > 0 ? [word.slice(0, tag)] : []),
    ...(inPackage === undefined ? [] : [inPackage]),
    // A program by its path, not the last part of any name.
    ...(/^(?:\/|~|\.|[A-Za-z]:\/)/.test(word) ? [file] : []),
  ]
}
