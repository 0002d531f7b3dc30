/** What a tool may ask for in `requires`. Who runs the pack decides whether it is there; code and next step are fixed. */
export interface RequirementEntry {
  readonly code: string
  /** As it reads in a description: "Needs: a paused session". */
  readonly label: string
  readonly message: string
  readonly hint: string
}

export const REQUIREMENTS = {
  workspace: {
    code: 'E_NO_WORKSPACE',
    label: 'a workspace',
    message: 'This caller belongs to no workspace',
    hint: 'Start the front in the folder of the project, or with --workspace <folder>.',
  },
  session: {
    code: 'E_NO_SESSION',
    label: 'a debug session',
    message: 'No debug session is active',
    hint: 'Start one with debug_start.',
  },
  paused: {
    code: 'E_NOT_PAUSED',
    label: 'a paused debug session',
    message: 'The program is running, not paused',
    hint: 'Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit.',
  },
  'language-server': {
    code: 'E_NO_LANGUAGE_SERVER',
    label: 'a language server',
    message: 'No language server answers for this file',
    hint: 'Open the workspace in VS Code with the extension for the language.',
  },
  vscode: {
    code: 'E_BRIDGE_UNAVAILABLE',
    label: 'a VS Code window',
    message: 'No VS Code window with a healthy bridge belongs to this caller',
    hint: 'Open the workspace in VS Code with the Switchboard extension; bridge_status tells more.',
  },
} as const satisfies Readonly<Record<string, RequirementEntry>>

export type RequirementName = keyof typeof REQUIREMENTS

export function isRequirementName(name: string): name is RequirementName {
  return Object.hasOwn(REQUIREMENTS, name)
}
