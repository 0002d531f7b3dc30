import { describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { createTestIo } from '../run-main.ts'

/** Without a home: what is asked for here needs none. */
async function run(...argv: string[]) {
  const io = createTestIo({ columns: 80 })
  const code = await main(argv, io)
  return { code, out: io.stdout.plain, err: io.stderr.plain }
}

describe('the help of a tool of a pack', () => {
  test('is all that its declaration says', async () => {
    const { code, out } = await run('help', 'breakpoint_add')
    expect(code).toBe(0)
    expect(out).toMatchInlineSnapshot(`
      "Set a breakpoint or a logpoint

      Usage: switchboard call breakpoint_add '{"path": …, "line": …}'

      A second one on the same line replaces the first. Without a session it is kept for the next one. The
      answer says whether it is bound, and where it moved to.

      debug_start takes some along, which saves a call.

      Parameters
        path*         a string, not empty
        line*         an integer, at least 1
        condition     a string, not empty; in the program's language
        hitCondition  a string, not empty; 5, >= 3, % 10
        logMessage    a string, not empty; print it and go on; {expression} inside is evaluated
        backend       one of "headless", "vscode"; vscode: shown in the editor at once

      Needs
        a workspace  else E_NO_WORKSPACE: Start the front in the folder of the project, or with
                     --workspace <folder>.

      Errors
        E_FILE_NOT_FOUND      Give a path relative to the workspace.
        E_INVALID_LINE        Give a line that the file has.
        E_BRIDGE_UNAVAILABLE  Use the backend headless. May go away by itself.

      Examples
        # only when the list is long
        switchboard call breakpoint_add '{"path":"src/app.ts","line":12,"condition":"items.length > 10"}'

      Also called
        breakpoint_set

      Of the pack debug, which runs in the daemon; changes, idempotent; at most 10 s. A parameter with a
      star is required. The whole definition: switchboard tools --schema breakpoint_add
      "
    `)
  })

  test('tells parameters inside of others, defaults, what may go away, and what is needed by which code', async () => {
    const { out } = await run('help', 'debug_start')
    expect(out.replace(/\s+/g, ' ')).toContain('breakpoints[].line* an integer, at least 1 ')
    expect(out.replace(/\s+/g, ' ')).toContain('timeoutMs an integer, at least 100, at most 300000, default 30000')
    expect(out.replace(/\s+/g, ' ')).toContain('E_CAPACITY End one with debug_stop. May go away by itself.')
    expect(out.replace(/\s+/g, ' ')).toContain('a workspace else E_NO_WORKSPACE: Start the front')
  })

  test.each([
    ['help', 'breakpoint_set'],
    ['help', 'breakpoint.add'],
    ['help', 'call', 'breakpoint_add'],
    ['call', 'breakpoint_add', '--help'],
    ['call', '-h', 'breakpoint_add', '{"path":"a"}'],
  ])('is the same by %s %s %s', async (...argv) => {
    expect(await run(...argv)).toEqual(await run('help', 'breakpoint_add'))
  })

  test('is data with --json', async () => {
    const { out } = await run('help', 'debug_evaluate', '--json')
    expect(JSON.parse(out)).toMatchObject({
      pack: 'debug',
      name: 'debug_evaluate',
      parameters: [{ name: 'expression', required: true, text: 'a string, not empty' }, {}, {}, {}, {}],
      needs: [{ code: 'E_NO_SESSION', hint: 'Start one with debug_start.' }, { code: 'E_NOT_PAUSED' }],
      errors: expect.arrayContaining([expect.objectContaining({ code: 'E_EVALUATE_FAILED', retryable: false })]),
    })
  })
})

test('a command stays a command, and a mistyped one is told without looking for tools', async () => {
  expect((await run('help', 'call')).out).toContain('switchboard call <tool> [arguments…] [options]')
  expect((await run('call', '--help')).out).toContain('switchboard call <tool> [arguments…] [options]')
  expect(await run('help', 'stauts')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no command "stauts". Did you mean status?'),
  })
  expect(await run('help', 'server', 'ad')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no command "server ad". Did you mean server add?'),
  })
})
