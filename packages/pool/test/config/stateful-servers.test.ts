import { describe, expect, it } from 'vitest'
import { readServer } from './read-config.ts'

const npx = (...args: string[]) => ({ command: 'npx', args: ['-y', ...args] })

describe('a server that keeps state for one client', () => {
  it.each([
    [npx('@playwright/mcp@latest', '--headless'), 'it drives a browser'],
    [npx('@playwright/mcp'), 'it drives a browser'],
    [npx('chrome-devtools-mcp@1.11.0'), 'it drives a browser'],
    [npx('@modelcontextprotocol/server-sequential-thinking'), 'it keeps one chain of thoughts'],
    [{ command: 'node', args: ['/opt/node_modules/@playwright/mcp/cli.js'] }, 'it drives a browser'],
    [{ command: 'node', args: ['C:\\lib\\node_modules\\@playwright\\mcp\\cli.js'] }, 'it drives a browser'],
    [{ command: '/usr/local/bin/mcp-server-sequential-thinking' }, 'it keeps one chain of thoughts'],
    [{ command: 'C:\\npm\\playwright-mcp.cmd' }, 'it drives a browser'],
    [{ command: 'docker', args: ['run', '-i', '--rm', 'mcp/playwright:1.2'] }, 'it drives a browser'],
    [{ command: 'docker', args: ['run', '-i', 'mcr.microsoft.com/playwright/mcp'] }, 'it drives a browser'],
  ])('is private where its entry does not say: %j', (entry, privateReason) => {
    expect(readServer(entry)).toMatchObject({ shared: false, privateReason })
  })

  it.each([
    npx('@modelcontextprotocol/server-everything'),
    npx('@modelcontextprotocol/server-memory'),
    npx('@playwright/test'),
    npx('@modelcontextprotocol/server-filesystem', 'playwright-mcp'.slice(0, 10)),
    { command: 'node', args: ['server.js', '--about', '@playwright/mcp-like'] },
    { url: 'https://example.com/playwright/mcp' },
  ])('is told from others: %j', (entry) => {
    const server = readServer(entry)
    expect(server.shared).toBe(true)
    expect(server.privateReason).toBeUndefined()
  })

  it.each([true, false])('is as `shared` says: %s', (shared) => {
    const server = readServer({ ...npx('@playwright/mcp'), shared })
    expect(server.shared).toBe(shared)
    expect(server.privateReason).toBeUndefined()
  })
})
