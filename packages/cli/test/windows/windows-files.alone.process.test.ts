/**
 * Files on Windows: the home and the clients' own below the person's profile, and writing beside others who read. Alone, because
 * there is one Windows, and with the end of a suite everything in it ends.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { PROGRAM, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { PATIENCE, useWindows } from './support/windows-bench.ts'
import { toWindows, WINDOWS_NODE, whyNoWindows } from './support/wine.ts'

const reason = whyNoWindows()
const DAY_MS = 24 * 60 * 60 * 1000

/** Reads a file as fast as it can until its own input ends, and then tells how often, and how often it was not whole. */
const READER = `
import { readFileSync } from 'node:fs'
let reads = 0, torn = 0, isOver = false
process.stdin.on('end', () => { isOver = true }).resume()
console.log('reading')
while (!isOver) {
  try { JSON.parse(readFileSync(process.argv[2], 'utf8')); reads++ } catch (error) { if (error instanceof SyntaxError) torn++ }
  await new Promise(setImmediate)
}
console.log(JSON.stringify({ reads, torn }))
`

describe.skipIf(reason !== undefined)(`Files on Windows (${reason ?? 'in Wine'})`, { timeout: 300_000 }, () => {
  const bench = useWindows()
  const front = { command: WINDOWS_NODE, args: [toWindows(PROGRAM), 'mcp'] }

  test('the doctor finds what clients have below %APPDATA% and %USERPROFILE%, and cures it there', async () => {
    const code = bench.file('AppData', 'Roaming', 'Code', 'User', 'mcp.json')
    const cursor = bench.file('.cursor', 'mcp.json')
    bench.configure({ mcpServers: { fx: bench.fixture() } })
    bench.write(code, JSON.stringify({ servers: { one: front, two: front } }))
    bench.write(cursor, JSON.stringify({ mcpServers: { one: front, two: front, other: { command: 'other' } } }))
    const told = await bench.run(['doctor'])
    expect(told.out).toMatch(/"two" in ~\\AppData\\Roaming\\Code\\User\\mcp\.json/)
    expect(told.out).toMatch(/"two" in ~\\\.cursor\\mcp\.json is one more way to Switchboard for Cursor/)
    expect(told.out).toContain('~\\.switchboard\\config.json: 1 server')
    expect(told.code).toBe(1)
    const cured = await bench.run(['doctor', '--fix'])
    expect(JSON.parse(readFileSync(cursor, 'utf8')), cured.out).toEqual({
      mcpServers: { one: front, other: { command: 'other' } },
    })
    expect(JSON.parse(readFileSync(code, 'utf8')).servers).not.toHaveProperty('two')
    expect((await bench.run(['doctor'])).out).toContain('Everything is fine.')
  })

  test('the configuration is replaced as a whole while others read it, and a running daemon follows', async () => {
    bench.configure({ mcpServers: { a: bench.fixture() } })
    await bench.json(['up'])
    const config = bench.homeFile('config.json')
    const script = bench.write(bench.file('reader.mjs'), READER)
    const reader = await bench.machine.start(WINDOWS_NODE, [script, toWindows(config)], { env: bench.environment })
    await reader.waitForText('reading', PATIENCE)
    const { command, args } = bench.fixture()
    for (const name of ['b', 'c', 'd']) {
      expect(await bench.run(['server', 'add', name, '--', command, ...args])).toMatchObject({ code: 0 })
    }
    reader.child.stdin.end()
    await reader.ended
    const { reads, torn } = JSON.parse(reader.out().split('\n')[1] ?? '')
    expect(reads).toBeGreaterThan(10)
    expect(torn).toBe(0)
    await waitFor(async () => {
      const { servers } = (await bench.json(['status'])) as { servers: { name: string; state: string }[] }
      return servers.filter(({ state }) => state === 'ready').length === 4
    }, PATIENCE)
    const drafts = readdirSync(bench.homeFile()).filter((name) => name.endsWith('.tmp'))
    expect(drafts).toEqual([])
  })

  test("yesterday's log is moved aside while it is read, and both are read as one", async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString()
    const line = { ts: yesterday, level: 'info', cat: 'daemon.start', inst: 'daemon', msg: 'what was yesterday' }
    bench.write(bench.homeFile('logs', 'daemon.log'), `${JSON.stringify(line)}\n`)
    const reader = await bench.start(['logs', '--source', 'daemon', '--follow'])
    await reader.waitForText('what was yesterday', PATIENCE)
    await bench.json(['up'])
    const aside = `daemon.${yesterday.slice(0, 10)}.1.log`
    await waitFor(() => readdirSync(bench.homeFile('logs')).includes(aside), PATIENCE)
    expect(readFileSync(bench.homeFile('logs', aside), 'utf8')).toBe(`${JSON.stringify(line)}\n`)
    expect(readFileSync(bench.homeFile('logs', 'daemon.log'), 'utf8')).not.toContain('what was yesterday')
    await reader.waitForText('daemon is ready', PATIENCE)
    await bench.kill(reader.pid)
    const { out } = await bench.run(['logs', '--source', 'daemon'])
    expect(out).toContain('what was yesterday')
  })
})
