/** VS Code tells an extension of the tests of others no more than their ids, and those only of a file. */
import { BridgeError } from '@switchboard/bridge'
import * as vscode from 'vscode'

const LOOK = 'editor_show_testing_ui shows what the Testing view has.'

/** Why no test of that file can begin. Undefined: there are some, or this VS Code does not say. */
export async function findTestAbsence(file: vscode.Uri): Promise<BridgeError | undefined> {
  try {
    if (await hasAny('vscode.testing.getTestsInFile', file)) return undefined
    if (await hasAny('vscode.testing.getControllersWithTests')) {
      return new BridgeError(
        'E_NO_TEST_AT_CURSOR',
        'No extension of the VS Code window has found a test in that file',
        {
          hint: `Name a file that has some: ${LOOK}`,
        },
      )
    }
    return new BridgeError('E_DISCOVERY_FAILED', 'No extension of the VS Code window offers any test', {
      hint: 'Install the extension that runs tests of this kind, and ask again; or debug what the test calls with debug_start.',
    })
  } catch {
    return undefined
  }
}

async function hasAny(command: string, ...args: unknown[]): Promise<boolean> {
  const found: unknown = await vscode.commands.executeCommand(command, ...args)
  if (!Array.isArray(found)) throw new TypeError(`${command} lists nothing`)
  return found.length > 0
}
