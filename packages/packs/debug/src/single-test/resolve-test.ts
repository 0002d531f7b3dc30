/** From a place in a file to what starts the test there. */
import { ToolError } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { StartRequest } from '../desk/start-request.ts'
import type { DebugEngine } from '../engine/debug-session.ts'
import { throughWindow } from '../window/choose-backend.ts'
import type { WindowAccess } from '../window/window-connection.ts'
import { type FoundTest, findNearestTests, findTestAt, type TestFramework } from './found-test.ts'
import { planTest } from './plan-test.ts'
import { readTestFile, type TestFile } from './test-file.ts'

export interface TestWish {
  readonly path: string
  readonly line: number
  /** Of a parametrised test of pytest: what stands in its brackets. */
  readonly case?: string
}

export interface ResolvedTest {
  /** `vscode`: whatever an extension of the window makes of it. */
  readonly framework: TestFramework | 'vscode'
  readonly test: FoundTest
  readonly request: StartRequest
}

/** Colours are bytes that no agent needs. */
const PLAIN = { NO_COLOR: '1' }

/** Throws E_FILE_NOT_FOUND, E_DISCOVERY_FAILED, E_NO_TEST_AT_CURSOR, and what picking an engine throws. */
export async function resolveTest(context: DebugContext, wish: TestWish, window?: WindowAccess): Promise<ResolvedTest> {
  const paths = pathsOf(context)
  const file = readTestFile(paths.resolveFile(wish.path), paths)
  const test = findTestAt(file.tests, wish.line)
  if (test === undefined) throw noTestAt(file, wish, paths.show(file.path))
  const plan = planTest(file, test, { workspace: paths.root, testCase: wish.case, env: PLAIN })
  const base = await context.host.engines.pick({ language: plan.language })
  const engine = window === undefined ? base : await throughWindow(base, window)
  return {
    framework: file.framework,
    test,
    request: {
      name: test.names.join(' > '),
      engine: withFunctionBreakpoints(engine, plan.failureFunctions),
      how: plan.launch,
      exceptions: plan.exceptions,
    },
  }
}

function noTestAt({ framework, tests }: TestFile, { line }: TestWish, shown: string): ToolError {
  const nearest = findNearestTests(tests, line)
  const where = nearest.map((test) => `${test.names.join(' > ')} (line ${test.line})`)
  const others = where.length === 0 ? `; the file has no tests of ${framework}` : `. Nearest: ${where.join(', ')}`
  return new ToolError('E_NO_TEST_AT_CURSOR', `There is no test at ${shown}:${line}${others}`, {
    details: { nearest: nearest.map((test) => ({ name: test.names.join(' > '), line: test.line })) },
  })
}

/** The same engine; its sessions also stop where a framework tells that a test has failed. */
function withFunctionBreakpoints(engine: DebugEngine, names: readonly string[]): DebugEngine {
  if (names.length === 0) return engine
  const { name, languages, launchTypes, backend } = engine
  return {
    name,
    ...(backend === undefined ? {} : { backend }),
    languages,
    launchTypes,
    accepts: (program) => engine.accepts(program),
    locate: () => engine.locate(),
    async start(request, context) {
      const session = await engine.start(request, context)
      if (session.capabilities.functionBreakpoints) await session.setFunctionBreakpoints(names)
      return session
    },
  }
}
