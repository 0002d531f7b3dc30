/** How this very program came here, and so how it is replaced and removed. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { PROGRAM_FILE } from '../program/program-command.ts'

export type Installation =
  /** By `npm i -g`; `prefix` is what npm calls it. */
  | { readonly kind: 'global'; readonly prefix: string }
  | { readonly kind: 'clone'; readonly folder: string }
  /** Within the extension of VS Code, or in the dependencies of something else. */
  | { readonly kind: 'other'; readonly folder: string }

/** `program`: the file behind the command. */
export function findInstallation(program = PROGRAM_FILE, platform = process.platform): Installation {
  const folder = dirname(dirname(dirname(dirname(realOf(program)))))
  if (existsSync(join(folder, '.git')) || existsSync(join(folder, 'scripts', 'run.mjs')))
    return { kind: 'clone', folder }
  const modules = dirname(folder)
  // <prefix>/lib/node_modules/switchboard, and on Windows <prefix>\node_modules\switchboard.
  const isModule = modules.endsWith(`${sep}node_modules`)
  const above = dirname(modules)
  if (isModule && platform === 'win32') return { kind: 'global', prefix: above }
  if (isModule && above.endsWith(`${sep}lib`)) return { kind: 'global', prefix: dirname(above) }
  return { kind: 'other', folder }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
