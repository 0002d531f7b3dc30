/** Files that a repository stores as links: to what never ends, to what never speaks, and to what is none of its business. */
import { mkdir, readdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { hasDebugInformation } from '../../src/dap/engines/debug-information.ts'
import { readProgramKind, readShebang } from '../../src/dap/engines/first-bytes.ts'
import { nativeLanguageOf } from '../../src/dap/engines/native.ts'
import { predictLine } from '../../src/inspector/predict-line.ts'
import { loadSourceMap } from '../../src/inspector/source-map.ts'
import { findStripProblem } from '../../src/inspector/strip-problem.ts'
import { findScript } from '../../src/launch/find-launch-program.ts'
import { resolveFolder } from '../../src/launch/program-folder.ts'
import { isFailureStop } from '../../src/single-test/failure-stop.ts'
import { readTestFile } from '../../src/single-test/test-file.ts'
import { countLines, readSourceLines } from '../../src/snapshot/read-source-lines.ts'
import { WorkspacePaths } from '../../src/workspace/workspace-paths.ts'
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

const DEVICE = '/dev/zero'
const LAUNCH = { configurations: [{ name: 'App', type: 'fake', program: 'app.fake', envFile: '.env' }] }

async function link(target: string, name: string): Promise<void> {
  const path = join(bench.workspace, name)
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

describe.skipIf(process.platform === 'win32')('a repository with links', () => {
  test.each(['.vscode/launch.json', 'a.code-workspace'])('to a device in place of %s is refused', async (name) => {
    await link(DEVICE, name)
    const answer = await bench.call('debug_start', { launch: 'App' })
    expect(answer).toMatchObject({
      code: 'E_INVALID_LAUNCH',
      text: expect.stringContaining(`${name} is a device, not a`),
    })
  })

  test('to a device in place of tasks.json, settings.json and an envFile is refused', async () => {
    await bench.write('app.fake', 'one\n')
    const start = async (configuration: object) => {
      const whole = { ...LAUNCH.configurations[0], envFile: undefined, ...configuration }
      await bench.write('.vscode/launch.json', JSON.stringify({ configurations: [whole] }))
      return bench.call('debug_start', { launch: 'App' })
    }
    await link(DEVICE, '.vscode/tasks.json')
    await link(DEVICE, '.vscode/settings.json')
    await link(DEVICE, '.env')
    expect(await start({ preLaunchTask: 'build' })).toMatchObject({
      code: 'E_INVALID_LAUNCH',
      text: expect.stringContaining('.vscode/tasks.json is a device'),
    })
    expect(await start({ args: [`\${config:a.b}`] })).toMatchObject({
      code: 'E_INVALID_LAUNCH',
      text: expect.stringContaining('.vscode/settings.json is a device'),
    })
    expect(await start({ envFile: '.env' })).toMatchObject({
      code: 'E_FILE_NOT_FOUND',
      text: expect.stringContaining('The envFile .env is a device'),
    })
    expect(await start({})).toMatchObject({ data: { event: 'stopped' } })
  })

  test('that lead out of the workspace is not followed', async () => {
    await using elsewhere = await createTemporaryDirectory()
    await writeFile(elsewhere.file('launch.json'), JSON.stringify(LAUNCH))
    await writeFile(elsewhere.file('.env'), 'SECRET=1')
    await bench.write('app.fake', 'one\n')
    await link(elsewhere.file('launch.json'), '.vscode/launch.json')
    const linked = await bench.call('debug_start', { launch: 'App' })
    expect(linked).toMatchObject({
      code: 'E_INVALID_LAUNCH',
      text: expect.stringContaining('.vscode/launch.json is a link that leads out of its folder'),
    })
    const other = await bench.createWorkspace({ '.vscode/launch.json': JSON.stringify(LAUNCH), 'app.fake': 'one\n' })
    await symlink(elsewhere.file('.env'), join(other.root, '.env'))
    expect(await other.call('debug_start', { launch: 'App' })).toMatchObject({
      code: 'E_FILE_NOT_FOUND',
      text: expect.stringContaining('The envFile .env is a link that leads out of its folder'),
    })
  })

  test('in place of sources, manifests, maps and programs finds an answer at once', async () => {
    const root = bench.workspace
    const at = (name: string): string => join(root, name)
    for (const name of [
      'app.js',
      'app',
      'Cargo.toml',
      'package.json',
      'app.js.map',
      'tsconfig.json',
      'main.go',
      'a.test.ts',
    ])
      await link(DEVICE, name)
    await bench.write('app.ts', "enum A { B }\nimport './app.js'\n")
    const paths = new WorkspacePaths(root)
    expect(readSourceLines(at('app.js'), 1)).toEqual([])
    expect(countLines(at('app.js'))).toBeUndefined()
    expect(predictLine(at('app.js'), 1)).toMatchObject({ problem: expect.stringContaining('cannot be read') })
    expect(await loadSourceMap('app.js.map', at('app.js'))).toBeUndefined()
    expect(readProgramKind(at('app'))).toBe('other')
    expect(readShebang(at('app'))).toBe('')
    expect(hasDebugInformation(at('app'))).toBeUndefined()
    const launch = { kind: 'launch', args: [], cwd: root, env: {}, stopOnEntry: false, options: {} } as const
    expect(nativeLanguageOf({ ...launch, program: at('app') })).toBe('cpp')
    expect(findScript(root)).toBe(root)
    expect(resolveFolder(root, paths)).toMatchObject({ language: 'go' })
    expect(findStripProblem(at('app.ts'))).toMatchObject({ what: 'an enum' })
    const place = { path: at('app.js'), line: 1 }
    expect(isFailureStop(undefined, [{ id: 1, name: 'f', isUser: true, place }])).toBe(true)
    expect(() => readTestFile(at('a.test.ts'), paths)).toThrow(expect.objectContaining({ code: 'E_FILE_NOT_FOUND' }))
  })
})

test('a file that is larger than any that people write is refused by its size', async () => {
  await bench.write('.vscode/launch.json', '')
  await truncate(join(bench.workspace, '.vscode/launch.json'), 2 ** 36)
  expect(await bench.call('debug_start', { launch: 'App' })).toMatchObject({
    code: 'E_INVALID_LAUNCH',
    text: expect.stringContaining('has 68719476736 bytes, and at most 1048576 are read'),
  })
})

test('a file that is nested without end is refused, and the next call is answered', async () => {
  await bench.write('.vscode/launch.json', `{"configurations":${'['.repeat(500_000)}`)
  expect(await bench.call('debug_start', { launch: 'App' })).toMatchObject({
    code: 'E_INVALID_LAUNCH',
    text: expect.stringContaining('.vscode/launch.json'),
  })
})

describe('what a variable is saved to', () => {
  test.skipIf(process.platform === 'win32')(
    'is never what a link leads to, also where that is not there yet',
    async () => {
      await using elsewhere = await createTemporaryDirectory()
      await link(elsewhere.file('new.jsonl'), 'dangling.jsonl')
      await link('dangling.jsonl', 'twice.jsonl')
      await bench.write('app.fake', 'one\n')
      await bench.call('debug_start', { program: 'app.fake' })
      for (const outputPath of ['dangling.jsonl', 'twice.jsonl']) {
        const saved = await bench.call('variable_save', { outputPath, expression: 'rows', overwrite: true })
        expect(saved.code).toBe('E_OUTSIDE_WORKSPACE')
      }
      expect(await readdir(elsewhere.path)).toEqual([])
    },
  )
})
