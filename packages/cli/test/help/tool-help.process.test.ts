/** The help of tools that only their servers know: these are started to ask them. */
import { createLeakCheck, fixtureCommand } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

const leaks = createLeakCheck()
const homes: TestHome[] = []
beforeEach(() => leaks.begin())
afterEach(async () => {
  await leaks.check()
  await Promise.all(homes.splice(0).map((home) => home[Symbol.asyncDispose]()))
})

async function createHome(...config: Parameters<typeof TestHome.create>): Promise<TestHome> {
  const home = await TestHome.create(...config)
  homes.push(home)
  return home
}

describe('the help of a tool that a server has', { timeout: 60_000 }, () => {
  const server = fixtureCommand({
    builtInTools: false,
    tools: [
      {
        name: 'greet',
        description: 'Says hello\u001b[2J to somebody.\n\nAsk for "loud" if need be.',
        inputSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, description: 'whom' },
            style: { enum: ['loud', 'quiet'], default: 'quiet' },
          },
          required: ['name'],
        },
      },
    ],
  })

  test('is read from its schema, by help and by call --help; nothing is called', async () => {
    const home = await createHome({ mcpServers: { hi: server }, definitions: 'warn' })
    const { code, out } = await home.run(['help', 'hi_greet'])
    expect(code).toBe(0)
    expect(out).toMatchInlineSnapshot(`
      "Says hello␛[2J to somebody.

      Usage: switchboard call hi_greet '{"name": …}'

      Ask for "loud" if need be.

      Parameters
        name*  a string, not empty; whom
        style  one of "loud", "quiet", default "quiet"

      Of hi. A parameter with a star is required. The whole definition: switchboard tools --schema
      hi_greet
      "
    `)
    expect((await home.run(['call', 'hi_greet', '--help'])).out).toBe(out)
    expect(JSON.parse((await home.run(['help', 'hi_greet', '--json'])).out)).toMatchObject({
      server: 'hi',
      name: 'hi_greet',
      parameters: [
        { name: 'name', required: true },
        { name: 'style', required: false },
      ],
    })
  })

  test('of an unknown one has the nearest names, of servers and of packs', async () => {
    const home = await createHome({ mcpServers: { hi: server }, definitions: 'warn' })
    expect(await home.run(['help', 'hi_greed'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('error: There is no command and no tool "hi_greed". Did you mean hi_greet?'),
    })
    expect(await home.run(['help', 'debug_statr'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean debug_start'),
    })
    expect(await home.run(['tools', 'hi_greet'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('hint:  Is it a tool? switchboard help hi_greet tells about one.'),
    })
    const { out } = await home.run(['call', 'hi_greed', '--help', '--json'])
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
  })

  test('whose server does not start says why', async () => {
    const home = await createHome({ mcpServers: { gone: { command: 'no-such-program-anywhere' } } })
    expect(await home.run(['help', 'gone_greet'])).toMatchObject({
      code: 69,
      err: expect.stringContaining('not found'),
    })
  })
})
