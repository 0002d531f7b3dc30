/**
 * Which settings of a server lead to Switchboard's own home or configuration: an agent that may use such a server's tools reads
 * tokens there and writes the command that is run next. A folder above the home counts as well, and links are followed.
 * It says what is likely, and forbids nothing.
 */
import { realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPathInside } from '@switchboard/base'
import type { ServerConfig } from '@switchboard/pool'
import type { Home } from '../context/home.ts'

export interface HomeExposure {
  /** `args[1]`, `cwd`, `env.ROOT`. */
  readonly key: string
  /** Where it leads, links followed. */
  readonly path: string
  /** Ours, that can be reached from there. */
  readonly reaches: string
}

type Place = Pick<Home, 'directory' | 'configFile' | 'servers' | 'userHome'>

/** What every program has anyway. */
const ORDINARY = new Set(['HOME', 'USERPROFILE', 'PATH', 'TMPDIR', 'TEMP', 'TMP'])
const MAX_WORDS = 500

export function findHomeExposures(server: ServerConfig, home: Place): HomeExposure[] {
  if (server.type !== 'stdio') return []
  const own = join(home.servers, server.name)
  const cwd = server.cwd ?? own
  const texts: (readonly [key: string, text: string])[] = [
    ...(server.cwd === undefined ? [] : [['cwd', server.cwd] as const]),
    ...server.args.map((text, index) => [`args[${index}]`, text] as const),
    ...Object.entries(server.env).flatMap(([name, text]) =>
      ORDINARY.has(name) ? [] : [[`env.${name}`, text] as const],
    ),
  ]
  const found = texts.flatMap(([key, text]) => {
    const paths = listPaths(text, cwd, home.userHome).map(findRealPath)
    const [exposure] = paths.flatMap((path) => judge(path, own, home))
    return exposure === undefined ? [] : [{ key, ...exposure }]
  })
  return found
}

/** Of text such as `--root=~/work`, `type=bind,src=/srv`, `/a:/b` or `serve --in .`: whatever may be a path in it. */
function listPaths(text: string, cwd: string, userHome: string): string[] {
  const words = [text, ...text.split(/[\s,;=|"']+/), ...(delimiter === ':' ? text.split(/[\s,;=|"':]+/) : [])]
  return [...new Set(words.slice(0, MAX_WORDS))].flatMap((word) => {
    if (word === '' || word.includes('\0')) return []
    if (/^file:/i.test(word)) return readFileUrl(word)
    if (/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return []
    return [/^~(?:[/\\]|$)/.test(word) ? join(userHome, word.slice(1)) : resolve(cwd, word)]
  })
}

function readFileUrl(url: string): string[] {
  try {
    return [fileURLToPath(url)]
  } catch {
    return []
  }
}

function judge(path: string, own: string, { directory, configFile }: Place): Omit<HomeExposure, 'key'>[] {
  const home = findRealPath(directory)
  const file = findRealPath(configFile)
  if (isPathInside(findRealPath(own), path)) return []
  if (isPathInside(path, home) || isPathInside(home, path)) return [{ path, reaches: directory }]
  return isPathInside(path, file) ? [{ path, reaches: configFile }] : []
}

/** Of what is not there yet: where it would be. */
function findRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(findRealPath(parent), basename(path))
  }
}

export function describeExposure({ name }: Pick<ServerConfig, 'name'>, { key, path, reaches }: HomeExposure): string {
  const where =
    path === reaches ? reaches : `${path}, which ${isPathInside(path, reaches) ? 'holds' : 'lies in'} ${reaches}`
  return `${name} may reach what is Switchboard's own: its ${key} leads to ${where}. Whoever uses its tools could read tokens there and write the commands that are run`
}
