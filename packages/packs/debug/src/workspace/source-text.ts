/** The text of source files and manifests, which a repository, a debugger or a source map names. */
import { join } from 'node:path'
import { ForeignFileError, readForeignText } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import type { WorkspacePaths } from './workspace-paths.ts'

/** The compiler of TypeScript is one file of 6 MB, and its library one of 9. */
export const MAX_SOURCE_BYTES = 16 * 1024 * 1024
/** Where the text is understood, not only shown: no person writes more in one file, and it takes its time. */
export const MAX_UNDERSTOOD_BYTES = 1024 * 1024
const MAX_MANIFEST_BYTES = 1024 * 1024

/** Undefined: it cannot be read, or is no source file. */
export function readSourceText(path: string, maxBytes: number = MAX_SOURCE_BYTES): string | undefined {
  try {
    return readForeignText(path, { maxBytes })
  } catch {
    return undefined
  }
}

/** Throws E_FILE_NOT_FOUND with the reason. */
export function readSourceTextOf(
  path: string,
  paths: Pick<WorkspacePaths, 'show'>,
  maxBytes = MAX_SOURCE_BYTES,
): string {
  try {
    return readForeignText(path, { maxBytes })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new ToolError('E_FILE_NOT_FOUND', `${paths.show(path)} ${error.reason}`, { cause: error })
  }
}

/** The package.json of a folder; empty when there is none that can be read. */
export function readManifest(folder: string): JsonObject {
  try {
    const text = readForeignText(join(folder, 'package.json'), { maxBytes: MAX_MANIFEST_BYTES, root: folder })
    const manifest: unknown = JSON.parse(text)
    return isJsonObject(manifest) ? manifest : {}
  } catch {
    return {}
  }
}
