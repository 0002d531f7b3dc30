/** `server edit` with an editor that is a real program. */
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { main } from '../../src/main.ts'
import { TestHome } from '../run-main.ts'

const CONFIG = `{
  // all of mine
  "mcpServers": {
    "one": {
      "command": "one", // the program
      "args": ["a"]
    },
    "two": { "command": "two" }
  }
}
`

async function create(): Promise<TestHome> {
  const home = await TestHome.create(CONFIG)
  onTestFinished(() => home[Symbol.asyncDispose]())
  return home
}

const read = (home: TestHome): Promise<string> => readFile(home.configFile, 'utf8')

describe('server edit', () => {
  it('sets a key and keeps everything else as it is written', async () => {
    const home = await create()
    const { code, out } = await home.run(['server', 'edit', 'one', '--set', 'timeout=5m', '--set', 'args=["b"]'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('changed one in') })
    expect(await read(home)).toBe(CONFIG.replace('["a"]', '["b"],\n      "timeout": "5m"'))
  })

  it('takes the entry from stdin, and refuses one that is wrong without touching the file', async () => {
    const home = await create()
    const wrong = await home.run(['server', 'edit', 'two', '--file', '-'], { input: '{"command": "x", "timeot": 1}' })
    expect(wrong.code).toBe(64)
    expect(wrong.err).toContain('Did you mean "timeout"?')
    expect(await read(home)).toBe(CONFIG)
    const { code } = await home.run(['server', 'edit', 'two', '--file', '-'], { input: '{"command": "x" /* y */}' })
    expect(code).toBe(0)
    expect(await read(home)).toBe(CONFIG.replace('{ "command": "two" }', '{"command": "x" /* y */}'))
    expect((await home.run(['server', 'edit', 'too', '--set', 'a=1'])).err).toContain('Did you mean "two"?')
  })

  it.skipIf(process.platform === 'win32')('opens the entry with its comments, and asks until it is right', async () => {
    const home = await create()
    const editor = home.file('editor.sh')
    // The first time it makes a mistake.
    await writeFile(
      editor,
      `if [ -e ${home.file('seen')} ]; then sed -i 's/comand/command/' "$1"; else cp "$1" ${home.file('seen')}; sed -i 's/"command": "one"/"comand": "new"/' "$1"; fi\n`,
    )
    const io = home.io({ isTTY: true, env: { EDITOR: `sh ${editor}` } })
    const ended = main(['server', 'edit', 'one'], io)
    await expect.poll(() => io.stderr.plain, { timeout: 20_000 }).toContain('Edit it again? [Y/n]')
    expect(io.stderr.plain).toContain('Did you mean "command"?')
    expect(await read(home)).toBe(CONFIG)
    io.stdin.write('y\n')
    expect(await ended).toBe(0)
    expect(await readFile(home.file('seen'), 'utf8')).toBe(
      '{\n  "command": "one", // the program\n  "args": ["a"]\n}\n',
    )
    expect(await read(home)).toBe(CONFIG.replace('"command": "one"', '"command": "new"'))
  })
})
