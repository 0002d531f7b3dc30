/** Where things are: made once (0700), never guessed twice. */
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { errorCode } from '@switchboard/base'
import { createInstanceId, isInstanceId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type HomePaths, homePaths } from '@switchboard/protocol/ipc'
import type { OptionValues } from '../command-line/option-values.ts'
import type { Io } from '../program/io.ts'

export interface Home extends HomePaths {
  /** The configuration file was named on the command line: then it must exist. */
  readonly isConfigExplicit: boolean
  readonly userHome: string
}

export async function openHome(options: OptionValues, io: Pick<Io, 'env' | 'cwd'>): Promise<Home> {
  const home = locateHome(options, io)
  const { directory } = home
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = errorCode(error) ?? String(error)
    throw new SwitchboardError('invalid_configuration', `The home folder ${directory} cannot be made: ${reason}.`, {
      hint: 'Name another one with --home or SWITCHBOARD_HOME.',
      cause: error,
    })
  }
  return home
}

/** Looks at nothing and makes nothing. */
export function locateHome(options: OptionValues, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Home {
  // On Windows HOME is what some shells make of it; whoever starts us must find the same home.
  const userHome = (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
  const directory = resolve(cwd, options.text('home') ?? (env.SWITCHBOARD_HOME || join(userHome, '.switchboard')))
  const config = options.text('config')
  const paths = homePaths(directory, sep)
  return {
    ...paths,
    ...(config === undefined ? {} : { configFile: resolve(cwd, config) }),
    isConfigExplicit: config !== undefined,
    userHome,
  }
}

/** What a command line needs to mean this home and file from anywhere: an agent's window has not our environment. */
export function homeArguments({ directory, configFile, isConfigExplicit, userHome }: Home): string[] {
  return [
    ...(directory === join(userHome, '.switchboard') ? [] : ['--home', directory]),
    ...(isConfigExplicit ? ['--config', configFile] : []),
  ]
}

/** An id that is set but malformed is an error, never silently another one. */
export function readInstanceId(env: Io['env']): string {
  const given = env.SWITCHBOARD_INSTANCE_ID
  if (given === undefined) return createInstanceId()
  if (isInstanceId(given)) return given
  throw new SwitchboardError(
    'invalid_configuration',
    `SWITCHBOARD_INSTANCE_ID is "${given}", which is no instance id.`,
    {
      hint: 'An id looks like tt79-6f854d: four of 0-9a-z, a dash, six hex digits. Unset it to get a fresh one.',
    },
  )
}
