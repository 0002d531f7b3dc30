/**
 * A new pack that works as it is: one tool, one key of configuration, a guide and a test; and its place in what lists the
 * packages of this repository. Only its line in the daemon's list of packs is left to a person.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { GeneratedFile } from './generated-file.ts'
import { packDirectory } from './list-packs.ts'
import { createPackFiles } from './pack-template.ts'
import { registerPack } from './register-pack.ts'

export interface ScaffoldedPack {
  /** The name of its tool, as agents call it. */
  readonly tool: string
  /** Relative to the root, with forward slashes. */
  readonly directory: string
  readonly packageName: string
  /** New ones. */
  readonly files: readonly GeneratedFile[]
  /** Those that are there, as they must be. */
  readonly changes: readonly GeneratedFile[]
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Writes nothing. Throws `invalid_arguments` for a name that cannot be, or is taken. */
export function scaffoldPack(root: string, name: string): ScaffoldedPack {
  if (!NAME.test(name)) {
    throw refuse(
      `"${name}" is no name of a pack`,
      'Write it in small letters, with hyphens between words: notes, web-pages.',
    )
  }
  const directory = packDirectory(name)
  if (existsSync(join(root, directory))) throw refuse(`${directory} exists already`, 'Choose another name.')
  const packageName = `@switchboard/pack-${name}`
  const { tool, manifest, files } = createPackFiles(name, packageName, directory)
  return { tool, directory, packageName, files, changes: registerPack(root, directory, manifest) }
}

function refuse(message: string, hint: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', message, { hint })
}
