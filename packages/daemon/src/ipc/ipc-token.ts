/** The secret that a TCP connection shows first: whoever can read the file is the user. */
import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { writeFileAtomically } from '@switchboard/base'

const TOKEN = /^[0-9a-f]{64}$/

/** Made when there is none. A file that holds something else is replaced. */
export async function readOrCreateToken(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  if (TOKEN.test(known)) {
    await chmod(file, 0o600)
    return known
  }
  const token = randomBytes(32).toString('hex')
  await writeFileAtomically(file, `${token}\n`)
  return token
}
