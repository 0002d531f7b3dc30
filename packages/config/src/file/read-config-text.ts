import { errorCode, ForeignFileError, readForeignBytes } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'

/** Far more than anybody writes; what is larger is something else. */
const MAX_BYTES = 16 * 1024 * 1024

/** undefined: there is no such file, and there need not be. */
export async function readConfigText(file: string, optional: boolean): Promise<string | undefined> {
  const bytes = await readBytes(file, optional)
  return bytes === undefined ? undefined : decode(bytes, file)
}

async function readBytes(file: string, optional: boolean): Promise<Uint8Array | undefined> {
  try {
    return await readForeignBytes(file, { maxBytes: MAX_BYTES })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.problem === 'missing' && optional) return undefined
    const problem =
      error.problem === 'missing'
        ? 'there is no such file'
        : (FILE_PROBLEMS[errorCode(error.cause) ?? ''] ?? error.reason)
    throw createFileError(file, problem, 'a configuration file that this user can read', error)
  }
}

const FILE_PROBLEMS: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    // The mark is kept: an offset in the text must be an offset in the file's text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw createFileError(file, 'is not UTF-8 text', 'a file saved as UTF-8', error)
  }
}

function createFileError(file: string, problem: string, expected: string, cause: unknown): SwitchboardError {
  const problems = [{ file, key: '', problem, expected }]
  return new SwitchboardError('invalid_configuration', `${file}: ${problem}. Expected ${expected}.`, {
    details: { problems },
    cause,
  })
}
