// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { problemsOf, readText } from './read-config.ts'

const env = { HOME: '/home', API_KEY: 'env-secret' }

function messageOf(text: string): string {
  return catchError(() => readText(text, env)).message
}

/** Messages without the file, line and column, which have their own tests. */
function serverMessages(entry: unknown, rest: object = {}): string[] {
  const text = JSON.stringify({ mcpServers: { s: entry }, ...rest })
  return problemsOf(catchError(() => readText(text, env))).map(({ key, problem, expected, nearest }) =>
    [
      `${key}: ${problem}. Expected ${expected}.`,
      ...(nearest === undefined ? [] : [`Did you mean "${nearest}"?`]),
    ].join(' '),
  )
}

describe('JSON syntax', () => {
  it.each([
    ['', 'config.json:1:1: a value is missing here. Expected text in double quotes, a number, true, false, { or [.'],
    ['{', 'config.json:1:2: the text ends inside an object. Expected a closing }.'],
    ['{\n  "a": 1\n  "b": 2 }', 'config.json:3:3: a comma is missing before this. Expected a , between two entries.'],
    ['{ "a" 1 }', 'config.json:1:7: a colon is missing here. Expected a : between key and value.'],
    ['{} }', 'config.json:1:4: there is text behind the end of the object. Expected the end of the file.'],
    ['{ "a": "x\n}', 'config.json:1:8: text is not closed on its line. Expected a closing ".'],
    ['/* x', 'config.json:1:1: a comment is not closed. Expected a closing */.'],
    [
      "{ 'a': 1 }",
      'config.json:1:3: there is a word or sign that JSON does not know. Expected text in double quotes, a number, true, false, null, { or [.',
    ],
    [
      '{ "a": "C:\\dir" }',
      'config.json:1:8: there is an unknown escape. Expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u (a backslash itself is written \\\\).',
    ],
  ])('of %j is refused with the place and what was expected', (text, message) => {
    expect(messageOf(text)).toBe(message)
  })

  it('that nests without end is refused and does not exhaust the stack', () => {
    expect(messageOf('['.repeat(200_000))).toMatch(/^config.json:1:/)
  })

  it.each(['[]', '"text"', 'null'])('of something else than an object is refused: %s', (text) => {
    expect(messageOf(text)).toContain('Expected an object: the configuration.')
  })
})

describe('the place of a problem', () => {
  it('counts lines over comments of both kinds', () => {
    const text =
      '// one\n{\n  /* three\n     four */ "mcpServers": {\n    "s": { "command": "x", "comand": "y" }\n  }\n}'
    expect(messageOf(text)).toBe(
      'config.json:5:28: mcpServers.s.comand: unknown key. Expected a key of a server. Did you mean "command"?',
    )
  })

  it.each(['\n', '\r\n', '\r'])('is the same for every kind of line end: %j', (end) => {
    const text = ['{', '  // comment', '  "mcpServers": {', '    "s": { "command": 5 }', '  }', '}'].join(end)
    const [problem] = problemsOf(catchError(() => readText(text)))
    expect(problem).toEqual({
      file: 'config.json',
      line: 4,
      column: 23,
      key: 'mcpServers.s.command',
      problem: 'is the number 5',
      expected: 'the program to run as one string (its arguments go into "args")',
      seen: '5',
    })
  })

  it('is right behind a byte order mark', () => {
    expect(messageOf('\uFEFF{\n  "x": 1 }')).toMatch(/^config.json:2:3: x: unknown key/)
  })
})

describe('a file with several problems', () => {
  it('is refused with all of them at once, in the order of the file', () => {
    const text = `{
  "queues": { "heavy": {} },
  "mcpServers": {
    "s": { "command": "x", "queue": "havy", "timeout": 0 },
    "s": { "url": "ftp://x" },
    "-t": { "type": "htp", "url": "http://x" }
  },
  "startParalellism": 2
}`
    expect(messageOf(text)).toMatchInlineSnapshot(`
      "8 problems in config.json:
      config.json:2:24: queues.heavy: the key "concurrent" is missing. Expected a whole number from 1 to 1024.
      config.json:4:37: mcpServers.s.queue: there is no queue "havy". Expected one of "queues": heavy. Did you mean "heavy"?
      config.json:4:56: mcpServers.s.timeout: is the number 0. Expected a duration such as "90s", "1500ms", "2m" or "1h", or a number of milliseconds, above zero and at most 168h.
      config.json:5:5: mcpServers.s: is there twice, first on line 4. Expected every key once.
      config.json:5:19: mcpServers.s.url: has the scheme "ftp:". Expected a URL that begins with http:// or https:// or ws:// or wss://.
      config.json:6:5: mcpServers.-t: is not a valid name. Expected a name of at most 64 letters, digits, "_", "." or "-", beginning with a letter or digit.
      config.json:6:21: mcpServers.-t.type: is the string "htp". Expected one of "stdio", "http", "sse", "websocket". Did you mean "http"?
      config.json:8:3: startParalellism: unknown key. Expected a key of the configuration: $schema, mcpServers, queues, presets, presetRoot, definitions, startParallelism. Did you mean "startParallelism"?"
    `)
  })

  it('reports equal keys at every depth, and equal names of servers', () => {
    const text =
      '{ "mcpServers": { "s": { "command": "x", "env": { "A": "1", "A": "2" }, "args": [{ "b": 1, "b": 2 }] } } }'
    const keys = problemsOf(catchError(() => readText(text))).map(({ key, problem }) => `${key} ${problem}`)
    expect(keys).toEqual([
      'mcpServers.s.env.A is there twice, first on line 1',
      'mcpServers.s.args[0] is an object',
      'mcpServers.s.args[0].b is there twice, first on line 1',
    ])
  })
})

const BOTH = '"command" for a local server or "url" for a remote one'
const DURATION =
  'a duration such as "90s", "1500ms", "2m" or "1h", or a number of milliseconds, above zero and at most 168h'
const GLOB = 'a tool name in which * stands for any characters and ? for one; no other pattern signs'
const x = { command: 'x' }
const remote = { url: 'https://example.com' }

describe('a server', () => {
  it.each<[name: string, entry: unknown, messages: string[]]>([
    ['is no object', 'x', ['mcpServers.s: is the string "x". Expected an object: a server.']],
    ['is null', null, ['mcpServers.s: is null. Expected an object: a server.']],
    ['is empty', {}, [`mcpServers.s: has neither a command nor a url. Expected ${BOTH}.`]],
    ['has both', { ...x, ...remote }, [`mcpServers.s: has both a command and a url. Expected ${BOTH}, not both.`]],
    ['has a type alone', { type: 'sse' }, [`mcpServers.s: has the type "sse" but no url. Expected ${BOTH}.`]],
    [
      'has the type of the other kind',
      { ...x, type: 'http' },
      ['mcpServers.s.command: has the type "http" and a command. Expected "url" for that type, or no "type".'],
    ],
    [
      'is local with a url',
      { ...remote, type: 'stdio' },
      ['mcpServers.s.url: has the type "stdio" and a url. Expected "command" for that type, or no "type".'],
    ],
    [
      'has headers on stdio',
      { ...x, headers: {} },
      [
        'mcpServers.s.headers: does not apply to a server of type "stdio". Expected this key only on a server of type "http", "sse", "websocket".',
      ],
    ],
    [
      'has env and cwd on http',
      { ...remote, env: {}, cwd: '.' },
      ['cwd', 'env']
        .map(
          (key) =>
            `mcpServers.s.${key}: does not apply to a server of type "http". Expected this key only on a server of type "stdio".`,
        )
        .reverse(),
    ],
    [
      'has no URL as url',
      { url: 'nowhere' },
      ['mcpServers.s.url: is not a URL. Expected a URL that begins with http:// or https:// or ws:// or wss://.'],
    ],
    [
      'has a web URL as websocket',
      { type: 'websocket', ...remote },
      [
        'mcpServers.s.url: has the scheme "https:", which does not go with the type "websocket". Expected a URL that begins with ws:// or wss://.',
      ],
    ],
    [
      'has a socket URL as sse',
      { type: 'sse', url: 'wss://h' },
      [
        'mcpServers.s.url: has the scheme "wss:", which does not go with the type "sse". Expected a URL that begins with http:// or https://.',
      ],
    ],
    [
      'has a password in its URL',
      { url: 'https://me:url-secret@h' },
      ['mcpServers.s.url: holds a user name or password. Expected them in "headers", as an Authorization header.'],
    ],
    [
      'has an empty command',
      { command: ' ' },
      [
        'mcpServers.s.command: is the string " ". Expected the program to run as one string (its arguments go into "args").',
      ],
    ],
    [
      'has a list as command',
      { command: ['npx', 'y'] },
      ['mcpServers.s.command: is a list. Expected the program to run as one string (its arguments go into "args").'],
    ],
    ['has args as text', { ...x, args: '-y' }, ['mcpServers.s.args: is a string. Expected a list of strings.']],
    ['has a number in args', { ...x, args: ['-p', 80] }, ['mcpServers.s.args[1]: is a number. Expected a string.']],
    ['has a number in env', { ...x, env: { PORT: 80 } }, ['mcpServers.s.env.PORT: is a number. Expected a string.']],
    [
      'has a bad name in env',
      { ...x, env: { 'A=B': 'c' } },
      ['mcpServers.s.env["A=B"]: is not a valid name. Expected the name of an environment variable.'],
    ],
    [
      'has a zero in args',
      { ...x, args: ['a\0b'] },
      ['mcpServers.s.args[0]: holds a zero character. Expected a string.'],
    ],
    [
      'has a bad header name',
      { ...remote, headers: { 'a b': 'c' } },
      ['mcpServers.s.headers["a b"]: is not a valid name. Expected the name of an HTTP header.'],
    ],
    [
      'has one header twice',
      { ...remote, headers: { Accept: 'a', accept: 'b' } },
      ['mcpServers.s.headers.accept: is the same header as "Accept". Expected each header once, whatever its case.'],
    ],
    [
      'has a boolean as text',
      { ...x, enabled: 'true' },
      ['mcpServers.s.enabled: is the string "true". Expected true or false.'],
    ],
    [
      'has a misspelt choice',
      { ...x, start: 'lasy' },
      ['mcpServers.s.start: is the string "lasy". Expected one of "eager", "lazy". Did you mean "lazy"?'],
    ],
    [
      'has a wrong choice',
      { ...x, interactive: 'yes' },
      ['mcpServers.s.interactive: is the string "yes". Expected one of "auto", true, false, "private".'],
    ],
    [
      'has an unknown probe',
      { ...x, healthProbe: 1 },
      ['mcpServers.s.healthProbe: is the number 1. Expected one of "ping", "listTools".'],
    ],
    ...['0s', '-5s', '5', 'fast', '200h'].map((timeout): [string, unknown, string[]] => [
      `has the timeout ${timeout}`,
      { ...x, timeout },
      [`mcpServers.s.timeout: is the string "${timeout}". Expected ${DURATION}.`],
    ]),
    [
      'has a zero timeout',
      { ...x, initTimeout: 0 },
      [`mcpServers.s.initTimeout: is the number 0. Expected ${DURATION}.`],
    ],
    ['has timeout off', { ...x, timeout: 'off' }, [`mcpServers.s.timeout: is the string "off". Expected ${DURATION}.`]],
    [
      'has idleTimeout true',
      { ...x, idleTimeout: true },
      [`mcpServers.s.idleTimeout: is the value true. Expected ${DURATION}; or "off".`],
    ],
    [
      'has a bad tool timeout',
      { ...x, toolTimeouts: { a: -1 } },
      [`mcpServers.s.toolTimeouts.a: is the number -1. Expected ${DURATION}.`],
    ],
    ...[0, 1025, 1.5, '4'].map((concurrency): [string, unknown, string[]] => [
      `has the concurrency ${JSON.stringify(concurrency)}`,
      { ...x, concurrency },
      [
        `mcpServers.s.concurrency: is the ${typeof concurrency} ${JSON.stringify(concurrency)}. Expected a whole number from 1 to 1024.`,
      ],
    ]),
    [
      'names a queue when there is none',
      { ...x, queue: 'q' },
      ['mcpServers.s.queue: there is no queue "q". Expected one of "queues": there is none.'],
    ],
    [
      'contradicts itself',
      { ...x, enabled: true, disabled: true },
      ['mcpServers.s.disabled: is true, and "enabled" is true as well. Expected only "enabled".'],
    ],
    [
      'has a key that is like no other',
      { ...x, zzz: 1 },
      [
        'mcpServers.s.zzz: unknown key. Expected a key of a server: type, command, args, cwd, env, envFile, inheritEnv, install, url, headers, oauth, enabled, era, shared, start, healthProbe, timeout, toolTimeouts, initTimeout, idleTimeout, restartWait, concurrency, queue, tools, interactive, definitions, validate, retry.',
      ],
    ],
    [
      'has the key constructor',
      { ...x, constructor: 1 },
      [expect.stringMatching(/^mcpServers.s.constructor: unknown key/)],
    ],
    [
      'has tools as a list',
      { ...x, tools: ['a'] },
      ['mcpServers.s.tools: is a list. Expected an object: the tool rules of a server.'],
    ],
    [
      'has an unknown tool rule',
      { ...x, tools: { alow: ['a'] } },
      [
        'mcpServers.s.tools.alow: unknown key. Expected a key of the tool rules of a server: allow, deny, rename, prefix. Did you mean "allow"?',
      ],
    ],
    [
      'allows nothing',
      { ...x, tools: { allow: [] } },
      [
        'mcpServers.s.tools.allow: is an empty list. Expected at least one glob: leave the key out to allow every tool, or write "deny": ["*"] to allow none.',
      ],
    ],
    [
      'has a bad glob',
      { ...x, tools: { deny: ['ok', '[a]', ''] } },
      [
        `mcpServers.s.tools.deny[1]: is the string "[a]". Expected ${GLOB}.`,
        `mcpServers.s.tools.deny[2]: is the string "". Expected ${GLOB}.`,
      ],
    ],
    [
      'renames two tools alike',
      { ...x, tools: { rename: { a: 'same', b: 'other', c: 'same' } } },
      ['mcpServers.s.tools.rename.c: has the same new name as "a". Expected a different new name for every tool.'],
    ],
    [
      'renames to a bad name',
      { ...x, tools: { rename: { a: 'b c' } } },
      [
        'mcpServers.s.tools.rename.a: is the string "b c". Expected a new name of at most 64 letters, digits, "_" or "-".',
      ],
    ],
    [
      'has an empty prefix',
      { ...x, tools: { prefix: '' } },
      ['mcpServers.s.tools.prefix: is the string "". Expected a prefix of at most 32 letters, digits, "_" or "-".'],
    ],
    [
      'has prefix true',
      { ...x, tools: { prefix: true } },
      [
        'mcpServers.s.tools.prefix: is the value true. Expected a prefix of at most 32 letters, digits, "_" or "-"; or false.',
      ],
    ],
    [
      'is disabled and wrong',
      { enabled: false, command: 5 },
      [
        'mcpServers.s.command: is the number 5. Expected the program to run as one string (its arguments go into "args").',
      ],
    ],
  ])('that %s is refused', (_, entry, messages) => {
    expect(serverMessages(entry)).toEqual(messages)
  })

  it('that names an unknown queue is told the nearest one', () => {
    expect(
      serverMessages({ ...x, queue: 'havy' }, { queues: { heavy: { concurrent: 1 }, other: { concurrent: 2 } } }),
    ).toEqual([
      'mcpServers.s.queue: there is no queue "havy". Expected one of "queues": heavy, other. Did you mean "heavy"?',
    ])
  })

  it('may be private and not shared', () => {
    const text = JSON.stringify({ mcpServers: { s: { ...x, shared: false, interactive: 'private' } } })
    expect(readText(text).servers).toMatchObject([{ shared: false, interactive: 'private' }])
  })
})

describe('the top level', () => {
  it.each([
    [
      '{ "presets": ["dmm"] }',
      'config.json:1:15: presets[0]: is the string "dmm". Expected one of "dmn". Did you mean "dmn"?',
    ],
    ['{ "presets": "dmn" }', 'config.json:1:14: presets: is the string "dmn". Expected a list of names of presets.'],
    ['{ "presets": ["dmn", "dmn"] }', 'config.json:1:22: presets[1]: is in the list twice. Expected each value once.'],
    [
      '{ "servers": {} }',
      'config.json:1:3: servers: a key of other programs that has no meaning here. Expected "mcpServers" instead.',
    ],
    [
      '{ "startParallelism": 0 }',
      'config.json:1:23: startParallelism: is the number 0. Expected a whole number from 1 to 256.',
    ],
    [
      '{ "queues": { "q": { "concurrent": 0 } } }',
      'config.json:1:36: queues.q.concurrent: is the number 0. Expected a whole number from 1 to 1024.',
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "tools": { "prefix": false } }, "b": { "command": "x", "tools": { "prefix": false } } } }',
      'config.json:1:118: mcpServers.b.tools.prefix: is false, as it is on the server "a". Expected false on one enabled server at most.',
    ],
  ])('%s is refused', (text, message) => {
    expect(messageOf(text)).toBe(message)
  })

  it.each(['', '-a', '_a', 'a b', 'ä', 'a/b', `a${'b'.repeat(64)}`, '__proto__'])(
    'refuses the server name %j',
    (name) => {
      const text = `{ "mcpServers": { ${JSON.stringify(name)}: { "command": "x" } } }`
      expect(messageOf(text)).toContain('is not a valid name')
    },
  )

  it.each(['a', '1', 'a.b_c-d', `a${'b'.repeat(63)}`, 'constructor', 'toString'])(
    'accepts the server name %j',
    (name) => {
      expect(readText(JSON.stringify({ mcpServers: { [name]: x } })).servers.map((server) => server.name)).toEqual([
        name,
      ])
    },
  )
})

describe('variables', () => {
  it('that are not set are refused with file, line, key and name', () => {
    const text =
      '{ "mcpServers": {\n  "s": { "command": "x", "args": ["${NOWHERE}"],\n    "env": { "K": "${API_KYE} ${API_KYE}" } } } }'
    expect(messageOf(text)).toBe(
      [
        '2 problems in config.json:',
        'config.json:2:35: mcpServers.s.args[0]: the variable NOWHERE is not set. Expected it in the environment, kept by `switchboard secret set NOWHERE`, or a default: ${NOWHERE:-default}.',
        'config.json:3:19: mcpServers.s.env.K: the variable API_KYE is not set. Expected it in the environment, kept by `switchboard secret set API_KYE`, or a default: ${API_KYE:-default}. Did you mean "API_KEY"?',
      ].join('\n'),
    )
  })

  it.each(['${env:API_KEY}', '${API KEY}', '${open', '${}'])('that are malformed are refused: %s', (command) => {
    expect(serverMessages({ command })).toEqual([
      `mcpServers.s.command: holds a "\${" that does not begin a variable. Expected \${NAME} or \${NAME:-default}, with letters, digits and _ in the name; $\${ is a literal \${.${command.includes('env:') ? ' Did you mean "${API_KEY}"?' : ''}`,
    ])
  })

  it('may make a command empty, which is refused', () => {
    expect(serverMessages({ command: '${NOWHERE:-}' })).toEqual([
      'mcpServers.s.command: is empty after its variables are expanded. Expected the program to run as one string (its arguments go into "args").',
    ])
  })
})

describe('secrets', () => {
  it.each([
    { command: 'x', env: { A: 'hidden\0' } },
    { command: 'x', env: { A: ['hidden'] } },
    { command: 'x', env: { A: '${hidden secret}' } },
    { command: 'x', env: 'hidden' },
    { command: 'x', args: 'hidden' },
    { url: 'https://h', headers: { A: 'hidden\n' } },
    { url: 'https://h', headers: { A: '${API_KEY}\n' } },
    { url: 'https://h', headers: 'hidden' },
    { url: 'hidden' },
    { url: 'ftp://hidden/${API_KEY}' },
    { url: 'https://u:hidden@h' },
    { url: ['hidden'] },
  ])('never appear in an error: %j', (entry) => {
    const text = JSON.stringify({ mcpServers: { s: entry } })
    const error = catchError(() => readText(text, env))
    expect(error.code).toBe('invalid_configuration')
    expect(JSON.stringify(error.toReport())).not.toMatch(/hidden|env-secret/)
  })
})
