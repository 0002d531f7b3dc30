/** How the front of this window is started. Pure: two windows with the same folders and settings differ in their id alone. */
import type { NodeProgram } from './find-node.ts'

export interface LaunchOptions {
  readonly node: Pick<NodeProgram, 'file' | 'env'>
  /** The command that the extension brings along. */
  readonly program: string
  readonly instance: string
  /** Paths of the window's folders, in their order. Empty: a window without a folder. */
  readonly folders: readonly string[]
  readonly userHome: string
  /** Empty: the default one. */
  readonly home: string
  readonly profile: string
  /** Whether the person trusts what is in the window: else nothing that its folders configure is read. */
  readonly isTrusted: boolean
}

export interface FrontLaunch {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * A front belongs to one folder, the first; an agent learns of the others by the roots that VS Code names itself. A window
 * without a folder is started in the home folder, where a front takes itself to have no workspace.
 */
export function createLaunch(options: LaunchOptions): FrontLaunch {
  const { node, program, instance, folders, userHome, home, profile, isTrusted } = options
  const [folder] = folders
  return {
    command: node.file,
    args: [
      program,
      'mcp',
      ...(folder === undefined ? [] : ['--workspace', folder]),
      ...(isTrusted ? [] : ['--no-project']),
      ...(profile === '' ? [] : ['--profile', profile]),
    ],
    cwd: folder ?? userHome,
    env: {
      ...node.env,
      SWITCHBOARD_INSTANCE_ID: instance,
      ...(home === '' ? {} : { SWITCHBOARD_HOME: home }),
    },
  }
}

export function isSameLaunch(one: FrontLaunch, other: FrontLaunch): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
