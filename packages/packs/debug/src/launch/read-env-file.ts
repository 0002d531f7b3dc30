import { errorMessage, ForeignFileError, isPathInside, readForeignText } from '@switchboard/base'
import { readEnvText } from '@switchboard/config/text'
import { ToolError } from '@switchboard/toolkit'

const MAX_BYTES = 1024 * 1024

export interface EnvFilePlace {
  /** Of the folder that names it. A link inside it does not lead out; a path outside is meant as it is written. */
  readonly folder: string
  readonly shown: string
}

/** Lines that are no variables are passed over, as VS Code does. Throws E_FILE_NOT_FOUND. */
export function readEnvFile(path: string, { folder, shown }: EnvFilePlace): Record<string, string> {
  try {
    const root = isPathInside(folder, path) ? folder : undefined
    return { ...readEnvText(readForeignText(path, { maxBytes: MAX_BYTES, root })).values }
  } catch (error) {
    const why = error instanceof ForeignFileError ? error.reason : `could not be read: ${errorMessage(error)}`
    throw new ToolError('E_FILE_NOT_FOUND', `The envFile ${shown} ${why}`, { cause: error })
  }
}
