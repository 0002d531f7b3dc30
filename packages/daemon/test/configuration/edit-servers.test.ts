// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { addServer, removeServer, setServerEnabled } from '../../src/configuration/edit-servers.ts'
import { readText } from './read-config.ts'

const FILE = `// My servers.
{
  "mcpServers": {
    // The first.
    "one": { "command": "x" }, // one's remark
    /* The second. */
    "two": {
      "command": "y",
      "args": ["a", "b"]   // kept as it is
    } // two's remark
    // the end
  },
  "startParallelism": 4
}
`

describe('addServer', () => {
  it.each([undefined, '', ' \n'])('starts a fresh file from %j', (text) => {
    expect(addServer(text, 'memory', { command: 'npx', args: ['-y', 'm'] })).toBe(`{
  "$schema": "./switchboard.schema.json",
  "mcpServers": {
    "memory": {
      "command": "npx",
      "args": ["-y", "m"]
    }
  }
}
`)
  })

  it('adds behind the last server and leaves every comment where it is', () => {
    expect(addServer(FILE, 'three', { url: 'https://example.com' })).toBe(
      FILE.replace('    } // two', '    }, // two').replace(
        '// the end\n',
        '// the end\n    "three": {\n      "url": "https://example.com"\n    }\n',
      ),
    )
  })

  it('creates mcpServers where there is none', () => {
    expect(addServer('{\n\t"startParallelism": 2\n}\n', 'a', { command: 'x' })).toBe(
      '{\n\t"startParallelism": 2,\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
    )
  })

  it('keeps line ends, tabs, a byte order mark and a trailing comma', () => {
    const text = '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" },\r\n\t},\r\n}\r\n'
    expect(addServer(text, 'b', { command: 'y' })).toBe(
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" },\r\n\t\t"b": {\r\n\t\t\t"command": "y"\r\n\t\t},\r\n\t},\r\n}\r\n',
    )
  })

  it('works on a file of one line', () => {
    const text = addServer('{"mcpServers":{"a":{"command":"x"}}}', 'b', { command: 'y' })
    expect(readText(text).servers.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('refuses a name that is taken', () => {
    const error = catchError(() => addServer(FILE, 'one', { command: 'z' }, { file: 'my.json' }))
    expect(error.code).toBe('invalid_configuration')
    expect(error.message).toBe('The server "one" is already configured in my.json.')
  })

  it('refuses an entry that would make the file invalid', () => {
    const error = catchError(() => addServer(FILE, 'three', { command: 'z', timeout: '0s' }))
    expect(error.message).toMatch(/^config\.json:14:18: mcpServers\.three\.timeout: is the string "0s"\./)
    expect(catchError(() => addServer(FILE, 'bad name', { command: 'z' })).message).toContain('is not a valid name')
  })

  it('looks variables up only when it is given an environment', () => {
    const entry = { command: 'x', env: { KEY: '${NOT_SET}' } }
    expect(addServer(FILE, 'three', entry)).toContain('"KEY": "${NOT_SET}"')
    expect(catchError(() => addServer(FILE, 'three', entry, { env: {} })).message).toContain('NOT_SET is not set')
  })

  it.each(['{', '[]', '{ "mcpServers": [] }', '{ "mcpServers": 5 }'])('refuses to touch a broken file: %s', (text) => {
    expect(catchError(() => addServer(text, 'a', { command: 'x' })).code).toBe('invalid_configuration')
  })
})

describe('removeServer', () => {
  it('removes the first server and no comment', () => {
    expect(removeServer(FILE, 'one')).toBe(FILE.replace('"one": { "command": "x" }, // one', ' // one'))
  })

  it('removes the last server and the comma before it', () => {
    const text = removeServer(FILE, 'two')
    expect(text).toContain('"one": { "command": "x" } // one\'s remark\n    /* The second. */\n')
    expect(text).toContain("// two's remark\n    // the end\n  },")
    expect(readText(text).servers.map(({ name }) => name)).toEqual(['one'])
  })

  it('removes the whole line of a server that stands alone', () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "x" },\n    "b": { "command": "y" }\n  }\n}\n'
    expect(removeServer(text, 'a')).toBe('{\n  "mcpServers": {\n    "b": { "command": "y" }\n  }\n}\n')
    expect(removeServer(text, 'b')).toBe('{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n')
  })

  it('removes the only server with its trailing comma', () => {
    expect(removeServer('{ "mcpServers": { "a": { "command": "x" }, } }', 'a')).toBe('{ "mcpServers": {  } }')
  })

  it('removes a server that is the only problem of the file', () => {
    const text = '{\n  "mcpServers": {\n    "bad": { "comand": "x" },\n    "good": { "command": "y" }\n  }\n}'
    expect(readText(removeServer(text, 'bad')).servers.map(({ name }) => name)).toEqual(['good'])
  })

  it('minds only its own entry: another that is wrong is in nobody’s way', () => {
    const text = '{\n  "mcpServers": {\n    "bad": { "comand": "x" },\n    "good": { "command": "y" }\n  }\n}'
    expect(removeServer(text, 'good')).not.toContain('good')
    expect(addServer(text, 'more', { command: 'z' })).toContain('"more"')
    expect(setServerEnabled(text, 'good', false)).toContain('"enabled": false')
    expect(catchError(() => setServerEnabled(text, 'bad', true)).message).toContain('Did you mean "command"?')
  })

  it('undoes what addServer did', () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "x" } // remark\n  }\n}\n'
    expect(removeServer(addServer(text, 'b', { command: 'y' }), 'b')).toBe(text)
  })

  it('refuses an unknown name and tells the nearest', () => {
    const error = catchError(() => removeServer(FILE, 'tow'))
    expect(error.code).toBe('unknown_server')
    expect(error.message).toBe('There is no server "tow" in config.json. Did you mean "two"?')
    expect(error.details).toEqual({ server: 'tow', known: ['one', 'two'], nearest: 'two' })
  })
})

describe('setServerEnabled', () => {
  it('adds enabled: false, in the layout of the entry, and takes it back', () => {
    const off = setServerEnabled(FILE, 'one', false)
    expect(off).toBe(FILE.replace('{ "command": "x" }', '{ "command": "x", "enabled": false }'))
    expect(setServerEnabled(off, 'one', true)).toBe(
      FILE.replace('{ "command": "x" }', '{ "command": "x", "enabled": true }'),
    )
    expect(setServerEnabled(FILE, 'two', false)).toBe(
      FILE.replace('["a", "b"]   // kept as it is\n', '["a", "b"],   // kept as it is\n      "enabled": false\n'),
    )
  })

  it('leaves an enabled server alone', () => {
    expect(setServerEnabled(FILE, 'one', true)).toBe(FILE)
  })

  it('keeps to the word that another client wrote', () => {
    const text = '{ "mcpServers": { "a": { "command": "x", "disabled": true } } }'
    expect(setServerEnabled(text, 'a', true)).toBe(text.replace('true', 'false'))
    expect(setServerEnabled(text, 'a', false)).toBe(text)
  })

  it('refuses to enable a server whose variables are not set, when it is given an environment', () => {
    const text = '{ "mcpServers": { "a": { "command": "${NOT_SET}", "enabled": false } } }'
    expect(catchError(() => setServerEnabled(text, 'a', true, { env: {} })).message).toContain('NOT_SET is not set')
    expect(setServerEnabled(text, 'a', true, { env: { NOT_SET: 'x' } })).toBe(text.replace('false', 'true'))
  })

  it('writes the entry of a preset’s server into the file to disable it', () => {
    const text = setServerEnabled('{ "presets": ["dmn"] }', 'grep', false)
    const grep = readText(text).servers.filter(({ name }) => name === 'grep')
    expect(grep).toMatchObject([{ enabled: false, command: 'npx', args: ['-y', 'mcp-ripgrep'] }])
  })

  it('keeps the folder of a preset’s server in the entry it writes', () => {
    const text = setServerEnabled('{ "presets": ["dmn"], "presetRoot": "/project" }', 'filesystem', false)
    const [server] = readText(setServerEnabled(text, 'filesystem', true)).servers.filter(
      (one) => one.name === 'filesystem',
    )
    expect(server).toMatchObject({
      enabled: true,
      cwd: '/project',
      args: [expect.anything(), expect.anything(), '/project'],
    })
  })

  it('tells why a preset’s server cannot be enabled', () => {
    const text = '{ "presets": ["dmn"] }'
    expect(catchError(() => setServerEnabled(text, 'grep', true, { env: {} })).message).toMatch(
      /^The server "grep" cannot be enabled: "presetRoot" is not set: name the folder/,
    )
    expect(catchError(() => setServerEnabled(text, 'web', true, { env: {} })).message).toBe(
      'The server "web" cannot be enabled: BRAVE_API_KEY is not set: get a key from https://brave.com/search/api and set the variable.',
    )
    expect(setServerEnabled(text, 'web', true, { env: { BRAVE_API_KEY: 'k' } })).toBe(text)
  })

  it('refuses an unknown name', () => {
    expect(catchError(() => setServerEnabled(FILE, 'grep', false)).code).toBe('unknown_server')
  })

  it('refuses a second enabled server without a prefix', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'x', tools: { prefix: false } },
        b: { command: 'x', tools: { prefix: false }, enabled: false },
      },
    })
    expect(catchError(() => setServerEnabled(text, 'b', true)).message).toContain('false on one enabled server at most')
  })
})
