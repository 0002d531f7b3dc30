/**
 * The token that printed connect lines carry. It is kept in the clear, 0600, beside the hashes of all: so a line can be
 * printed again, to the person whose home it is. One that was revoked or has expired is replaced by a new one.
 */
import { chmod } from 'node:fs/promises'
import { writeFileAtomically } from '@switchboard/base'
import { readIfPresent } from '@switchboard/base/locked-file'
import type { TokenStore } from './token-store.ts'

/** As `switchboard token list` shows it. */
const NAME = 'connect'

export async function readOrCreateConnectToken(file: string, tokens: TokenStore): Promise<string> {
  const content = await readIfPresent(file)
  const known = content?.trim() ?? ''
  if (await tokens.isGood(known)) {
    await chmod(file, 0o600)
    return known
  }
  const { text, token } = await tokens.create({ name: NAME })
  if (await writeFileAtomically(file, `${text}\n`, { keepExisting: content === undefined })) return text
  // Another process was a moment faster: of two that start together one token is enough.
  await tokens.revoke(token.id)
  return readOrCreateConnectToken(file, tokens)
}
