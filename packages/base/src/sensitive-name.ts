/** Which names (of object members, options, query parameters, variables) stand for a secret. */

/** In any spelling, because names are compared in lower case without separators. */
const SECRET =
  /password|passwd|passphrase|secret|token|apikey|authorization|cookie|(?:private|access|signing|encryption|account|master|auth|license|subscription)key|credential|signature/
/** About a secret, not the secret: `token_type`, `max_tokens_used`, `secretName`, `tokenizer`. */
const ABOUT =
  /(?:token(?:iz|is)|(?:type|endpoint|expires|expiresin|expiresat|expiry|name|names|file|path|url|uri|count|limit|budget|length|size|bytes|used|usage|ttl|age|maxage|supported|required|enabled|present)$)/
const COUNTED = /tokens$/

export type NameVerdict = 'plain' | 'secret' | 'counted'

const known = new Map<string, NameVerdict>()

/** `counted`: a number under this name (`max_tokens`) is a quantity, text is a secret. */
export function judgeName(name: string): NameVerdict {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  const verdict = judge(
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
  // Names come from callers too: the cache must not grow with them.
  if (known.size >= 2_000) known.clear()
  known.set(name, verdict)
  return verdict
}

function judge(name: string): NameVerdict {
  if (name === 'auth' || name === 'pwd') return 'secret'
  if (!SECRET.test(name) || ABOUT.test(name)) return 'plain'
  return COUNTED.test(name) ? 'counted' : 'secret'
}

/** `env` and `headers` are shown by names only. */
export function holdsNamesOnly(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '')
  return plain === 'env' || plain === 'environment' || plain === 'environ' || plain.endsWith('headers')
}

/** A working directory is called `pwd` as often as a password is. */
export function looksLikePath(text: string): boolean {
  return /^(?:[/~.\\]|[A-Za-z]:[\\/])/.test(text)
}
