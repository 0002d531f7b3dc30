/**
 * A test through VS Code. One of a framework that we know runs as it does headless, with the debugger of the window. Any other is left
 * to the extension that has registered it in the Testing view: VS Code lets nobody list those, and debugs the one at the cursor.
 */
import { ToolError } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import { checkLine } from '../tool-steps/check-line.ts'
import { throughWindow } from '../window/choose-backend.ts'
import type { WindowAccess } from '../window/window-connection.ts'
import { type ResolvedTest, resolveTest, type TestWish } from './resolve-test.ts'

export async function resolveWindowTest(
  context: DebugContext,
  wish: TestWish,
  window: WindowAccess,
): Promise<ResolvedTest> {
  try {
    return await resolveTest(context, wish, window)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'E_DISCOVERY_FAILED') throw error
  }
  const paths = pathsOf(context)
  const path = paths.resolveFile(wish.path)
  const { line } = wish
  checkLine(path, line, paths)
  const base = await context.host.engines.pick({ program: path }).catch(() => undefined)
  const name = `${paths.show(path)}:${line}`
  return {
    framework: 'vscode',
    test: { names: [name], line, endLine: line, isSuite: false, isParametrised: false },
    request: {
      name,
      engine: await throughWindow(base, window, { kind: 'test', path, line }),
      how: { kind: 'launch', program: path, args: [], cwd: paths.root, env: {}, stopOnEntry: false, options: {} },
      exceptions: undefined,
    },
  }
}
