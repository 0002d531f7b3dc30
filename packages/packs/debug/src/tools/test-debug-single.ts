import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf, pathsOf } from '../debug-host.ts'
import type { TestDebugSingleData, TestDebugSingleParams } from '../generated/types.ts'
import { debugTest } from '../single-test/debug-test.ts'
import { type ResolvedTest, resolveTest } from '../single-test/resolve-test.ts'
import { resolveWindowTest } from '../single-test/resolve-window-test.ts'
import { storeBreakpoints } from '../tool-steps/set-breakpoint.ts'
import { findWindow, withOwner } from '../window/choose-backend.ts'

export async function run(
  params: TestDebugSingleParams,
  context: DebugContext,
): Promise<ToolOutcome<TestDebugSingleData>> {
  const window = withOwner(context, await findWindow(context, params.backend))
  const resolved =
    window === undefined ? await resolveTest(context, params) : await resolveWindowTest(context, params, window)
  storeBreakpoints(deskOf(context), pathsOf(context), params.breakpoints)
  const { outcome, snapshot, text } = await debugTest(context, resolved, params)
  if (outcome === 'not_run') throw notRun(resolved, text)
  const { framework, test } = resolved
  const name = test.names.join(' > ')
  const head = outcome === 'stopped' || outcome === 'running' ? name : `${outcome}: ${name}`
  return {
    data: { outcome, test: { name, framework, line: test.line }, snapshot },
    text: `${head}\n${text}`,
  }
}

function notRun({ framework, test }: ResolvedTest, text: string): ToolError {
  const hint = /No module named '?pytest/.test(text)
    ? 'Install pytest for the Python of the workspace: python3 -m pip install pytest.'
    : 'The message has what the test runner said.'
  return new ToolError('E_DISCOVERY_FAILED', `${framework} did not run ${test.names.join(' > ')}. ${text}`, { hint })
}
