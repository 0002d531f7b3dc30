/** A server whose texts would hide, turn or overwrite what a person reads on the terminal. */
import type { JsonObject } from '@switchboard/protocol'
import { fixtureCommand, hasTerminal, programCommand, runOnTerminal, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()

const TAGS = '\u{e0069}\u{e0067}'
const EVIL = `good\u202egnitirw\u202c\u2066${TAGS}\u200b\u009b2J\x1b]0;title\x07\x1b[8mhidden`
/** Colours are off: whatever of this is on the screen came from the server. */
const RAW = ['\u202e', '\u202c', '\u2066', TAGS, '\u200b', '\u009b', '\x1b]0', '\x1b[8m', '\x07']

async function show(target: Target, argv: readonly string[]): Promise<string> {
  const { command, args, env } = programCommand(argv, { home: target.home.path })
  const { text } = await runOnTerminal([command, ...args], [], { cwd: target.home.path, env, columns: 400 })
  return text
}

test.skipIf(!hasTerminal())('texts of a server are shown on a terminal, and do nothing there', async () => {
  const text: JsonObject = { type: 'text', text: EVIL }
  const target = await targets.start({
    // Else nobody would be shown any of it.
    definitions: 'warn',
    mcpServers: {
      evil: fixtureCommand({
        tools: [
          { name: 'say', description: EVIL, inputSchema: { type: 'object', properties: { [EVIL]: { title: EVIL } } } },
          { name: 'fail', result: { isError: true, content: [text] } },
          { name: 'tell', result: { content: [text], structuredContent: { [EVIL]: EVIL } } },
          { name: 'break', reaction: { do: 'error', error: { code: -32000, message: EVIL } } },
        ],
      }),
      // What it says last is the reason that is told of it, and the path of its program too.
      broken: { command: '/bin/sh', args: ['-c', 'echo "$0" >&2; exit 1', EVIL], start: 'eager' },
      missing: { command: `/no/${EVIL}`, start: 'eager' },
    },
  })
  await target.waitForState('evil', 'ready')
  await waitFor(async () => (await target.run(['logs', '--source', 'server-broken'])).out.includes('gnitirw'), {
    what: 'the words of the broken server in its log',
  })
  const commands = [
    ['tools', '--verbose'],
    ['call', 'evil_fail'],
    ['call', 'evil_break'],
    ['call', 'evil_tell', '--json'],
    ['call', 'evil_tell', '--raw'],
    ['status'],
    ['status', '--json'],
    ['logs'],
    ['server', 'logs', 'broken'],
    ['server', 'list'],
    ['server', 'show', 'broken'],
    ['doctor'],
    ['call', 'missing_tool'],
    ['help', 'evil_say'],
  ]
  const shown = new Map<string, string>()
  for (const argv of commands) {
    const screen = await show(target, argv)
    for (const raw of RAW) expect(screen.includes(raw), `${argv.join(' ')}: ${JSON.stringify(raw)}`).toBe(false)
    shown.set(argv.join(' '), screen)
  }
  expect(shown.get('call evil_fail')).toContain('good\\u202egnitirw')
  // What a program reads says the same, on a terminal as in a pipe.
  const { out } = await target.run(['call', 'evil_tell', '--json'])
  for (const json of [out, shown.get('call evil_tell --json') ?? '']) {
    expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(EVIL).slice(1, -1))
  }
  await target.expectCalm()
})
