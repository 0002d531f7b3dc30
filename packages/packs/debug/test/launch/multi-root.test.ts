import { beforeEach, describe, expect, test } from 'vitest'
import { useDebugBench } from '../helpers/debug-bench.ts'
import { createFakeEngine, type FakeEngine } from '../helpers/fake-engine.ts'

let engine: FakeEngine = createFakeEngine()
const bench = useDebugBench({ loadEngines: async () => [engine] })

const WORKSPACE = `{
  "folders": [{ "path": "packages/api", "name": "API" }, { "path": "packages/web" }],
  // for all folders
  "settings": { "app.port": 1, "app.name": "shared" },
  "launch": {
    "configurations": [{ "name": "Shared", "type": "fake", "program": "\${workspaceFolder:web}/web.fake" }],
    "compounds": [{ "name": "All", "configurations": [{ "name": "Run", "folder": "API" }, { "name": "Run", "folder": "web" }, "Shared"] }],
  },
}`

function writeRun(folder: string, more: object = {}): Promise<void> {
  const configurations = [{ name: 'Run', type: 'fake', program: `\${workspaceFolder}/${folder}.fake`, ...more }]
  return bench.write(`packages/${folder}/.vscode/launch.json`, JSON.stringify({ configurations }))
}

beforeEach(async () => {
  engine = createFakeEngine()
  engine.prepare = (session) => {
    session.onGo = (one) => one.simulateStop()
  }
  await bench.write('app.code-workspace', WORKSPACE)
  await bench.write('packages/api/api.fake', 'x\n')
  await bench.write('packages/web/web.fake', 'x\n')
})

describe('a workspace of several folders', () => {
  test('is searched for a configuration in its own file and in each folder', async () => {
    await writeRun('web')
    await bench.call('debug_start', { launch: 'Run' })
    await bench.call('debug_start', { launch: 'Shared' })
    expect(engine.requests).toMatchObject([
      { program: `${bench.workspace}/packages/web/web.fake`, cwd: `${bench.workspace}/packages/web` },
      { program: `${bench.workspace}/packages/web/web.fake`, cwd: `${bench.workspace}/packages/api` },
    ])
  })

  test('asks which folder is meant when two have the name, and takes the name of one', async () => {
    await writeRun('api')
    await writeRun('web')
    const refused = await bench.call('debug_start', { launch: 'Run' })
    expect(refused.code).toBe('E_INVALID_LAUNCH')
    expect(refused.text).toContain(
      '"Run" is in packages/api/.vscode/launch.json and packages/web/.vscode/launch.json: say which with `folder`',
    )
    await bench.call('debug_start', { launch: 'Run', folder: 'API' })
    await bench.call('debug_start', { launch: 'Run', folder: 'packages/web' })
    expect(engine.requests).toMatchObject([
      { program: `${bench.workspace}/packages/api/api.fake` },
      { program: `${bench.workspace}/packages/web/web.fake` },
    ])
  })

  test('has compounds over its folders', async () => {
    await writeRun('api', { args: ['one'] })
    await writeRun('web', { args: ['two'] })
    await bench.call('debug_start', { launch: 'All' })
    expect(engine.requests).toMatchObject([{ args: ['one'] }, { args: ['two'] }, { args: [] }])
  })

  test('has settings, which a folder may have otherwise', async () => {
    await bench.write('packages/api/.vscode/settings.json', '{"app.port": 2}')
    await writeRun('api', { args: [`\${config:app.port}`, `\${config:app.name}`, `\${workspaceFolderBasename:web}`] })
    await bench.call('debug_start', { launch: 'Run' })
    expect(engine.requests).toMatchObject([{ args: ['2', 'shared', 'web'] }])
  })

  test('knows in which of its folders the file of a call lies', async () => {
    await writeRun('api', { program: `\${file}`, args: [`\${fileWorkspaceFolder}`, `\${fileWorkspaceFolderBasename}`] })
    await bench.call('debug_start', { launch: 'Run', program: 'packages/web/web.fake' })
    expect(engine.requests).toMatchObject([{ args: [`${bench.workspace}/packages/web`, 'web'] }])
  })

  test('whose file is broken is refused with the line', async () => {
    await bench.write('app.code-workspace', '{\n  "folders": [\n}')
    expect((await bench.call('debug_start', { launch: 'Run' })).text).toMatch(/app\.code-workspace:3 is no JSON/)
  })

  test('says what there is when a name is not there', async () => {
    const refused = await bench.call('debug_start', { launch: 'Shard' })
    expect(refused.code).toBe('E_NOT_FOUND')
    expect(refused.text).toContain('did you mean "Shared"?')
    const nowhere = await bench.call('debug_start', { launch: 'Shared', folder: 'packages' })
    expect(nowhere.text).toContain('There is no .vscode/launch.json in packages')
  })
})
