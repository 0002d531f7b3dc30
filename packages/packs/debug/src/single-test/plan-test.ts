/** How one test is started under the debugger: the program, its arguments, and where a failure stops it. */
import { dirname, join } from 'node:path'
import { ToolError } from '@switchboard/toolkit'
import type { ExceptionMode, Launch } from '../engine/debug-session.ts'
import type { TestNameOption } from '../inspector/test-name.ts'
import type { FoundTest } from './found-test.ts'
import { toNamePattern } from './script-tests.ts'
import { findFolderWith, type TestFile } from './test-file.ts'

export interface TestPlan {
  readonly language: string
  readonly launch: Launch
  readonly exceptions: ExceptionMode
  /** Called by the framework when a test fails, where a failure is no exception. */
  readonly failureFunctions: readonly string[]
}

export interface PlanOptions {
  readonly workspace: string
  /** Of a parametrised test of pytest: what stands in its brackets. */
  readonly testCase?: string | undefined
  readonly env: Readonly<Record<string, string>>
}

export function planTest(file: TestFile, test: FoundTest, options: PlanOptions): TestPlan {
  switch (file.framework) {
    case 'pytest':
      return planPytest(file, test, options)
    case 'node:test':
      return planNodeTest(file, test, options)
    case 'vitest':
      return planVitest(file, test, options)
    case 'go test':
      return planGoTest(file, test, options)
  }
}

function createLaunch(env: PlanOptions['env'], rest: Pick<Launch, 'program' | 'args' | 'cwd' | 'options'>): Launch {
  return { kind: 'launch', stopOnEntry: false, env, ...rest }
}

function planPytest({ path }: TestFile, { names }: FoundTest, { workspace, testCase, env }: PlanOptions): TestPlan {
  const roots = ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'setup.py']
  const id = [path, ...names].join('::') + (testCase === undefined ? '' : `[${testCase}]`)
  return {
    language: 'python',
    launch: createLaunch(env, {
      program: path,
      cwd: findFolderWith(path, workspace, roots) ?? workspace,
      // -s: what the test prints is seen when it is printed. The cache is left as the person's own runs made it.
      args: [id, '-x', '-s', '-q', '--no-header', '-p', 'no:cacheprovider'],
      options: { module: 'pytest', userUnhandled: true },
    }),
    exceptions: 'uncaught',
    failureFunctions: [],
  }
}

/** Without --test the file runs in the process itself, and not in a child. */
function planNodeTest(
  { path, tests }: TestFile,
  { names, isParametrised, isSuite }: FoundTest,
  { workspace, env }: PlanOptions,
): TestPlan {
  const own = names.slice(-1)
  const namesakes = tests.filter((test) => test.isSuite === isSuite && test.names.at(-1) === own[0])
  const testName: TestNameOption = {
    full: `/${toNamePattern(names, isParametrised)}/`,
    own: `/^${toNamePattern(own, isParametrised)}/`,
    isAmbiguous: namesakes.length > 1,
  }
  return {
    language: isTypeScript(path) ? 'typescript' : 'node',
    launch: createLaunch(env, {
      program: path,
      cwd: findFolderWith(path, workspace, ['package.json']) ?? workspace,
      args: [],
      options: { testName, runtimeArgs: ['--test-reporter=spec'] },
    }),
    exceptions: 'all',
    failureFunctions: [],
  }
}

/** One file, one worker: the session of the worker is a child of the one that is started. */
function planVitest(
  { path }: TestFile,
  { names, isParametrised }: FoundTest,
  { workspace, env }: PlanOptions,
): TestPlan {
  const entry = join('node_modules', 'vitest', 'vitest.mjs')
  const installed = findFolderWith(path, workspace, [entry])
  if (installed === undefined) {
    throw new ToolError('E_DISCOVERY_FAILED', 'vitest is not installed in the workspace', {
      hint: 'Install it: npm install --save-dev vitest (or npm ci, where package.json has it).',
    })
  }
  const configs = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].flatMap((end) => [
    `vitest.config.${end}`,
    `vite.config.${end}`,
  ])
  const cwd = findFolderWith(path, workspace, configs) ?? findFolderWith(path, workspace, ['package.json']) ?? installed
  return {
    language: isTypeScript(path) ? 'typescript' : 'node',
    launch: createLaunch(env, {
      program: join(installed, entry),
      cwd,
      args: [
        'run',
        path,
        `--testNamePattern=^${toNamePattern(names, isParametrised)}`,
        '--no-file-parallelism',
        '--pool=forks',
        '--maxWorkers=1',
        '--testTimeout=0',
        '--hookTimeout=0',
      ],
      options: {},
    }),
    exceptions: 'all',
    failureFunctions: [],
  }
}

function planGoTest({ path }: TestFile, { names }: FoundTest, { env }: PlanOptions): TestPlan {
  const run = names.map((name) => `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`).join('/')
  return {
    language: 'go',
    launch: createLaunch(env, {
      program: dirname(path),
      cwd: dirname(path),
      args: ['-test.run', run, '-test.v'],
      options: { mode: 'test' },
    }),
    exceptions: 'uncaught',
    failureFunctions: ['testing.(*common).Fail'],
  }
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path)
}
