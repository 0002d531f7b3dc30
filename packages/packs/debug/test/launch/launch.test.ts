import { beforeEach, describe, expect, test } from 'vitest'
import { useDebugBench } from '../helpers/debug-bench.ts'
import { createFakeEngine, type FakeEngine } from '../helpers/fake-engine.ts'

let engine: FakeEngine = createFakeEngine()
beforeEach(() => {
  engine = createFakeEngine()
  engine.prepare = (session) => {
    session.onGo = (one) => one.simulateStop()
  }
})
const bench = useDebugBench({ loadEngines: async () => [engine] })

async function writeLaunch(text: string): Promise<void> {
  await bench.write('src/app.fake', 'one\ntwo\n')
  await bench.write('.vscode/launch.json', text)
}

function writeConfiguration(configuration: object): Promise<void> {
  return writeLaunch(JSON.stringify({ configurations: [{ name: 'App', type: 'fake', ...configuration }] }))
}

describe('a configuration of launch.json', () => {
  test('is read with comments, trailing commas and the variables of VS Code', async () => {
    process.env.DEBUG_PACK_TEST = 'from outside'
    await writeLaunch(`{
      // as VS Code writes it
      "version": "0.2.0",
      "configurations": [
        {
          "name": "App",
          "type": "pwa-fake",
          "request": "launch",
          "program": "\${workspaceFolder}/src/app.fake",
          "args": ["--root", "\${workspaceFolderBasename}", "\${env:DEBUG_PACK_TEST}", "\${env:DEBUG_PACK_UNSET}"],
          "cwd": "\${workspaceFolder}/src",
          "env": { "LEVEL": "3", "GONE": null, },
          "envFile": "\${workspaceFolder}/.env",
          "stopOnEntry": true,
          "outFiles": ["\${workspaceFolder}/dist/**"],
          "presentation": { "hidden": true },
        },
      ],
    }`)
    await bench.write('.env', '# comment\nLEVEL=1\nexport NAME="two\\nlines"\nPLAIN=a b # end\n')
    const started = await bench.call('debug_start', { launch: 'App' })
    delete process.env.DEBUG_PACK_TEST
    expect(started.data).toMatchObject({ event: 'stopped' })
    const folder = bench.workspace
    expect(engine.requests).toEqual([
      {
        kind: 'launch',
        program: `${folder}/src/app.fake`,
        args: ['--root', folder.slice(folder.lastIndexOf('/') + 1), 'from outside', ''],
        cwd: `${folder}/src`,
        env: { LEVEL: '3', NAME: 'two\nlines', PLAIN: 'a b' },
        stopOnEntry: true,
        options: { outFiles: [`${folder}/dist/**`] },
      },
    ])
  })

  test('takes what a call adds: arguments in place of its own, variables on top', async () => {
    await writeConfiguration({ program: 'src/app.fake', args: 'one "two words"', env: { A: '1', B: '1' } })
    await bench.call('debug_start', { launch: 'App' })
    await bench.call('debug_start', { launch: 'App', args: ['mine'], env: { B: '2' } })
    expect(engine.requests).toMatchObject([
      { args: ['one', 'two words'], env: { A: '1', B: '1' } },
      { args: ['mine'], env: { A: '1', B: '2' } },
    ])
  })

  test('of another folder is read there', async () => {
    await bench.write(
      'packages/a/.vscode/launch.json',
      '{"configurations":[{"name":"A","type":"fake","program":"a.fake"}]}',
    )
    await bench.write('packages/a/a.fake', 'x\n')
    await bench.call('debug_start', { launch: 'A', folder: 'packages/a' })
    expect(engine.requests).toMatchObject([
      { program: `${bench.workspace}/packages/a/a.fake`, cwd: `${bench.workspace}/packages/a` },
    ])
  })

  test('that attaches is attached to', async () => {
    await writeConfiguration({ request: 'attach', connect: { host: '127.0.0.1', port: 5678 }, pathMappings: [] })
    await bench.call('debug_start', { launch: 'App' })
    expect(engine.requests).toMatchObject([
      { kind: 'attach', host: '127.0.0.1', port: 5678, options: { pathMappings: [] } },
    ])
  })

  test('with the open file is run for the program of the call', async () => {
    await writeConfiguration({ program: `\${file}`, args: [`\${relativeFile}`, `\${fileBasenameNoExtension}`] })
    await bench.call('debug_start', { launch: 'App', program: 'src/app.fake' })
    expect(engine.requests).toMatchObject([
      { program: `${bench.workspace}/src/app.fake`, args: ['src/app.fake', 'app'] },
    ])
  })

  test.each([
    [`\${file}`, /no editor is open here; give `program`/],
    [`\${fileDirname}`, /no editor is open here; give `program`/],
    [`\${input:port}`, /no input of that name is declared; give it: inputs \{"port": "…"\}/],
    [`\${input:name}`, /it is asked for \("Which one\?"\), and has no default/],
    [`\${input:level}`, /one of low, high, and has no default/],
    [`\${command:pickProcess}`, /command of VS Code.*inputs \{"command:pickProcess": "…"\}.*attach\.pid/],
    [`\${config:python.path}`, /settings\.json does not have it/],
    [`\${lineNumber}`, /no editor is open here; give the value/],
    [`\${selectedText}`, /no editor is open here; give the value/],
    [`\${execPath}`, /VS Code's own program/],
    [`\${defaultBuildTask}`, /tasks\.json has no default build task/],
    [`\${workspaceFolder:nope}`, /no folder "nope"/],
    [`\${nonsense}`, /not known/],
  ])('with %s is refused by name, with what to do instead', async (variable, message) => {
    const inputs = [
      { id: 'name', type: 'promptString', description: 'Which one?' },
      { id: 'level', type: 'pickString', options: ['low', { label: 'High', value: 'high' }] },
    ]
    const configurations = [{ name: 'App', type: 'fake', program: 'src/app.fake', args: [variable] }]
    await writeLaunch(JSON.stringify({ configurations, inputs }))
    const refused = await bench.call('debug_start', { launch: 'App' })
    expect(refused.code).toBe('E_INVALID_LAUNCH')
    expect(refused.text).toMatch(message)
    expect(refused.text).not.toContain(bench.workspace)
  })

  test('takes what a person would answer from the call, and defaults where it says nothing', async () => {
    const inputs = [
      { id: 'port', type: 'promptString', default: '8080' },
      { id: 'level', type: 'pickString', options: ['low', { label: 'High', value: 'high' }], default: 'low' },
      { id: 'pick', type: 'command', command: 'extension.pick' },
    ]
    const args = [`\${input:port}`, `\${input:level}`, `\${input:pick}`, `\${command:cmake.target}`, `\${lineNumber}`]
    const configurations = [{ name: 'App', type: 'fake', program: 'src/app.fake', args }]
    await writeLaunch(JSON.stringify({ configurations, inputs }))
    const given = { level: 'high', pick: 'chosen', 'command:cmake.target': 'build/app', lineNumber: '12' }
    await bench.call('debug_start', { launch: 'App', inputs: given })
    expect(engine.requests).toMatchObject([{ args: ['8080', 'high', 'chosen', 'build/app', '12'] }])
    const wrong = await bench.call('debug_start', { launch: 'App', inputs: { ...given, level: 'medium' } })
    expect(wrong.text).toContain('"medium" is none of its options: low, high')
  })

  test('reads settings of the folder', async () => {
    await bench.write('.vscode/settings.json', '{ "app.level": 3, /* as objects */ "app": { "name": "it" }, }')
    await writeConfiguration({ program: 'src/app.fake', args: [`\${config:app.level}`, `\${config:app.name}`] })
    await bench.call('debug_start', { launch: 'App' })
    expect(engine.requests).toMatchObject([{ args: ['3', 'it'] }])
  })

  test('has its own block for each system, and one environment file after the other', async () => {
    await bench.write('a.env', 'A=1\nB=1\n')
    await bench.write('b.env', 'B=2\n')
    const block = { args: ['own'], env: { C: '3' } }
    await writeConfiguration({
      program: 'src/app.fake',
      args: ['common'],
      envFile: ['a.env', 'b.env'],
      linux: block,
      osx: block,
      windows: block,
    })
    await bench.call('debug_start', { launch: 'App' })
    expect(engine.requests).toMatchObject([{ args: ['own'], env: { A: '1', B: '2', C: '3' }, options: {} }])
  })

  test.each([
    ['{ "configurations": [ }', 'E_INVALID_LAUNCH', /launch\.json:1 is no JSON/],
    ['[]', 'E_INVALID_LAUNCH', /must be an object/],
    [
      '{"configurations":[{"name":"Apq","type":"fake"}]}',
      'E_NOT_FOUND',
      /no configuration "App" \(did you mean "Apq"\?\)/,
    ],
    ['{"configurations":[{"name":"App","type":"fake"}]}', 'E_INVALID_LAUNCH', /"App" has no "program"/],
    ['{"configurations":[{"name":"App","program":"x"}]}', 'E_INVALID_LAUNCH', /"App" has no "type"/],
    [
      '{"configurations":[{"name":"App","type":"fake","program":"gone.fake"}]}',
      'E_FILE_NOT_FOUND',
      /gone\.fake is not there/,
    ],
    ['{"configurations":[{"name":"App","type":"fake","request":"attach"}]}', 'E_INVALID_LAUNCH', /neither a port/],
    [
      '{"configurations":[{"name":"App","type":"fake","request":"custom","program":"src/app.fake"}]}',
      'E_INVALID_LAUNCH',
      /the request "custom", which is neither launch nor attach/,
    ],
    [
      '{"configurations":[{"name":"App","type":"fake","program":"src/app.fake","args":7}]}',
      'E_INVALID_LAUNCH',
      /args that are number, not a list/,
    ],
    [
      '{"configurations":[{"name":"App","type":"chrome","url":"http://localhost"}]}',
      'E_UNSUPPORTED_LANGUAGE',
      /launch type "chrome"/,
    ],
    [
      '{"configurations":[{"name":"App","type":"cobol","program":"src/app.fake"}]}',
      'E_UNSUPPORTED_LANGUAGE',
      /launch type "cobol"/,
    ],
    [
      '{"configurations":[{"name":"App","type":"fake","program":"src/app.fake","envFile":"gone.env"}]}',
      'E_FILE_NOT_FOUND',
      /gone\.env/,
    ],
  ])('as %s is refused', async (text, code, message) => {
    await writeLaunch(text)
    const refused = await bench.call('debug_start', { launch: 'App' })
    expect(refused.code).toBe(code)
    expect(refused.text).toMatch(message)
    expect(refused.text).not.toContain(bench.workspace)
  })
})

describe('a compound', () => {
  const configurations = [
    { name: 'Server', type: 'fake', program: 'src/app.fake' },
    { name: 'Client', type: 'fake', program: 'src/app.fake', args: ['client'] },
  ]

  test('starts all its sessions', async () => {
    const compounds = [{ name: 'Both', configurations: ['Server', { name: 'Client', folder: 'x' }] }]
    await writeLaunch(JSON.stringify({ configurations, compounds }))
    await bench.call('debug_start', { launch: 'Both' })
    expect((await bench.call('debug_status')).data).toMatchObject({
      sessions: [{ name: 'Server' }, { name: 'Client' }],
    })
  })

  test('with stopAll ends as a whole when one of its sessions is ended', async () => {
    const compounds = [{ name: 'Both', configurations: ['Server', 'Client'], stopAll: true }]
    await writeLaunch(JSON.stringify({ configurations, compounds }))
    await bench.call('debug_start', { launch: 'Both' })
    await bench.call('debug_start', { launch: 'Server' })
    expect((await bench.call('debug_stop', { sessionId: 's1' })).data).toMatchObject({ stoppedSessions: ['s1', 's2'] })
    expect((await bench.call('debug_status')).data).toMatchObject({ isActive: true, current: 's3' })
  })

  test('without stopAll leaves the others alone', async () => {
    const compounds = [{ name: 'Both', configurations: ['Server', 'Client'] }]
    await writeLaunch(JSON.stringify({ configurations, compounds }))
    await bench.call('debug_start', { launch: 'Both' })
    expect((await bench.call('debug_stop', { sessionId: 's1' })).data).toMatchObject({ stoppedSessions: ['s1'] })
  })

  test('of which one cannot be started leaves none', async () => {
    await writeLaunch(
      JSON.stringify({ configurations, compounds: [{ name: 'Both', configurations: ['Server', 'Client'] }] }),
    )
    engine.prepare = (session) => {
      if (engine.sessions.length === 2) throw new Error('it is broken')
      session.onGo = (one) => one.simulateStop()
    }
    await expect(bench.call('debug_start', { launch: 'Both' })).rejects.toThrow(/it is broken/)
    expect((await bench.call('debug_status')).data).toMatchObject({ isActive: false })
  })

  test('with a name that is not there is refused', async () => {
    await writeLaunch(JSON.stringify({ configurations, compounds: [{ name: 'Both', configurations: ['Sever'] }] }))
    expect((await bench.call('debug_start', { launch: 'Both' })).text).toMatch(/names "Sever", which is not there/)
  })
})
