/** What is noted of a call, with a daemon and without: `main` in this process, the daemon in one of its own. */
import { readdir } from 'node:fs/promises'
import { readAudit } from '@switchboard/telemetry'
import { fixtureCommand, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DaemonHome } from '../daemon-home.ts'
import type { TestHome } from '../run-main.ts'

let daemon: DaemonHome
let home: TestHome

beforeEach(async () => {
  daemon = await DaemonHome.create()
  home = daemon.home
  // The budget has room for the start of the server, on a busy machine too.
  const lazy = { ...fixtureCommand({}), start: 'lazy' as const, toolTimeouts: { slow: 3_000 } }
  await home.configure({ mcpServers: { a: fixtureCommand({}), lazy } })
  await daemon.up()
})
afterEach(() => daemon.dispose())

describe('the audit trail', () => {
  test('of a daemon is one file, however many commands call', async () => {
    for (const text of ['one', 'two', 'three'])
      expect((await home.run(['call', 'a', 'echo', `text=${text}`])).code).toBe(0)
    const count = async () => (await readAudit({ directory: home.file('traces'), limit: 100 })).length
    await waitFor(async () => (await count()) === 3, { what: 'three entries' })
    expect(await readdir(home.file('traces'))).toEqual(['daemon.jsonl'])
  })

  test.each([
    ['a server', ['a_echo', '{"text":"x","password":"hunter2"}']],
    ['a server that fails', ['a_rpc_error', '-a', 'message=odd']],
    ['a server that takes too long', ['lazy_slow', '-a', 'ms=60000']],
    ['a pack', ['debug_status']],
    ['a pack, with wrong arguments', ['debug_stack', '{"nonsense":1}']],
    ['Switchboard itself, with wrong arguments', ['debug_get_logs', '-a', 'limit=-1']],
  ])('says the same of a call to %s whichever way it came', async (_what, call) => {
    const { ofDaemon, ofCommand } = await callBothWays(call)
    expect(ofCommand).toEqual(ofDaemon)
  })

  test('says the same of a call to Switchboard itself, but for how much there was to tell', async () => {
    const { ofDaemon, ofCommand } = await callBothWays(['switchboard_status'])
    expect({ ...ofCommand, bytes: 0 }).toEqual({ ...ofDaemon, bytes: 0 })
  })

  async function callBothWays(call: readonly string[]) {
    const [through, alone] = ['tt79-6f854d', 'u0a1-9c33e1']
    await home.run(['call', ...call], { env: { SWITCHBOARD_INSTANCE_ID: through } })
    await home.run(['call', ...call, '--no-daemon'], { env: { SWITCHBOARD_INSTANCE_ID: alone } })
    return { ofDaemon: await readOnlyEntry(through), ofCommand: await readOnlyEntry(alone) }
  }

  /** What is of its moment, its call and its caller by its type; whether its server had to be waited for not at all. */
  async function readOnlyEntry(instance: string): Promise<Record<string, unknown>> {
    // Calls of commands stand with those of whoever runs the servers.
    const find = async () => {
      const lines = await readAudit({ directory: home.file('traces'), limit: 100 })
      return lines.find(({ inst }) => inst === instance)
    }
    const entry: Record<string, unknown> = { ...(await waitFor(find, { what: `an entry of ${instance}` })) }
    const ofItsOwn = ['ts', 'inst', 'trace_id', 'session', 'duration_ms', 'sent_ms', 'answered_ms']
    for (const member of ofItsOwn) if (member in entry) entry[member] = typeof entry[member]
    delete entry.queued_ms
    return entry
  }
})
