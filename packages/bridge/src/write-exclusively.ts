import { writeFileSync } from 'node:fs'
import { errorCode } from '@switchboard/base'

/** False: it is there already. */
export function writeExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
