/** Finds programs by name and asks them for their version. Nothing is remembered here: see `once`. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { resolveCommand } from '@switchboard/process'

export function findOnPath(
  name: string,
  folders: readonly string[] = [],
  from: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const path = [...folders, from.PATH ?? from.Path ?? ''].join(delimiter)
  const environment = { PATH: path, ...(from.PATHEXT === undefined ? {} : { PATHEXT: from.PATHEXT }) }
  const found = resolveCommand(name, { cwd: undefined, environment })
  return found.found ? found.path : undefined
}

/** The path of the program whose name has the highest number at its end; one without a number comes last. */
export function findNewestProgram(pattern: RegExp): string | undefined {
  const folders = (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = folders.flatMap((folder) => listNames(folder).flatMap((name) => toCandidate(folder, name, pattern)))
  return found.sort((one, other) => other.version - one.version)[0]?.path
}

function toCandidate(folder: string, name: string, pattern: RegExp): { path: string; version: number }[] {
  const bare = name.replace(/\.exe$/i, '')
  if (!pattern.test(bare)) return []
  return [{ path: join(folder, name), version: Number(/(\d+(?:\.\d+)?)$/.exec(bare)?.[1] ?? 0) }]
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Its standard output, or undefined when it fails or takes too long. */
export function ask(command: string, args: readonly string[], timeout = 10_000): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout, windowsHide: true, maxBuffer: 1024 * 1024 }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
  })
}

/** Asks once and remembers a good answer; a bad one is asked again, for somebody may have installed it meanwhile. */
export function once<T>(look: () => Promise<T | undefined>): () => Promise<T | undefined> {
  let known: Promise<T | undefined> | undefined
  return async () => {
    known ??= look()
    const answer = await known
    if (answer === undefined) known = undefined
    return answer
  }
}

export type InstallHints = { readonly [platform in 'linux' | 'darwin' | 'win32']: string }

export function installHint(hints: InstallHints, platform: NodeJS.Platform = process.platform): string {
  return platform === 'darwin' || platform === 'win32' ? hints[platform] : hints.linux
}
