/** The extension's settings, as they are now. package.json declares them, with their defaults. */
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { type HomePaths, homePaths } from '@switchboard/protocol/ipc'
import * as vscode from 'vscode'

export const SECTION = 'switchboard'

export interface Settings {
  /** Empty: none is named. */
  readonly home: string
  readonly nodePath: string
  readonly profile: string
  readonly offersRemoval: boolean
}

export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION)
  return {
    home: expandHome(section.get('home', '').trim()),
    nodePath: expandHome(section.get('nodePath', '').trim()),
    profile: section.get('profile', '').trim(),
    offersRemoval: section.get('offerToRemoveStaticEntries', true),
  }
}

/** The same place that a front which is started with this environment takes for its home. */
export function locateHome({ home }: Pick<Settings, 'home'>, env: NodeJS.ProcessEnv = process.env): HomePaths {
  return homePaths(home || env.SWITCHBOARD_HOME || join(homedir(), '.switchboard'), sep)
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
