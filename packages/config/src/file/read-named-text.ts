import { ForeignFileError, readForeignText } from '@switchboard/base'

/** Of a file that a configuration names. */
export const MAX_NAMED_BYTES = 1024 * 1024

/** Throws what is wrong with it, as half a sentence. */
export function readNamedText(path: string): string {
  try {
    return readForeignText(path, { maxBytes: MAX_NAMED_BYTES })
  } catch (error) {
    throw error instanceof ForeignFileError ? new Error(error.reason, { cause: error }) : error
  }
}
