/** How a client shows that it may come in over HTTP, where the system cannot tell that it is the person's own. */
import type { AccessPolicy } from '@switchboard/gateway'
import type { Home } from './home.ts'

export interface ConnectHeader {
  readonly name: 'Authorization'
  readonly value: string
}

/** Makes the token in any case, so that it is there for whoever comes by a proxy. Undefined: the address alone will do. */
export async function ensureConnectToken(
  { connectToken, tokens }: Pick<Home, 'connectToken' | 'tokens'>,
  policy: AccessPolicy | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<ConnectHeader | undefined> {
  const isNeeded = policy === 'token' || (policy === 'user' && platform !== 'linux')
  const { readOrCreateConnectToken, TokenStore } = await import('@switchboard/gateway')
  try {
    const text = await readOrCreateConnectToken(connectToken, new TokenStore(tokens))
    return isNeeded ? { name: 'Authorization', value: `Bearer ${text}` } : undefined
  } catch (error) {
    // Where the address alone will do, nobody is to fail for it; `switchboard token list` tells what is wrong.
    if (isNeeded) throw error
    return undefined
  }
}

export function formatHeader({ name, value }: ConnectHeader): string {
  return `${name}: ${value}`
}
