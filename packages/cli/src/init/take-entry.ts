/**
 * Whether an entry of a client comes over to us, and as what. What would no longer do what it did (it signs in by itself, depends
 * on the window's folder) stays with its client, and the reason is told; what its keys mean is known elsewhere.
 */
import type { ServerInput } from '@switchboard/pool'
import { type ForeignClient, isWhole, translateEntry, UntranslatableError } from '@switchboard/pool/config'
import { isJsonObject } from '@switchboard/protocol'
import type { StaticEntry } from '../doctor/static/static-entry.ts'

export type Translation =
  | { readonly input: ServerInput; readonly dropped: readonly string[]; readonly reason?: undefined }
  | { readonly reason: string }

/** What is looked at of an entry. */
export interface TakenEntry extends Pick<StaticEntry, 'project' | 'source'> {
  readonly client: ForeignClient
}

export interface TranslateOptions {
  readonly userHome: string
  /** Remote servers without a key of their own are taken as well: they may be such that the client has signed in to. */
  readonly isRemoteTaken: boolean
}

export function takeEntry(entry: TakenEntry, options: TranslateOptions): Translation {
  // `toEntry` takes nothing else.
  const source = isJsonObject(entry.source) ? entry.source : {}
  if (source.envFile !== undefined) return { reason: 'it reads its variables from a file ("envFile")' }
  const { client, project } = entry
  try {
    const { input, dropped } = translateEntry(source, { client, project, userHome: options.userHome })
    const reason = findReason(entry, input, options)
    if (reason !== undefined) return { reason }
    // Who takes one over wants it to run.
    const { enabled: _enabled, disabled: _disabled, ...taken } = input
    return { input: taken, dropped }
  } catch (error) {
    if (error instanceof UntranslatableError) return { reason: error.message }
    throw error
  }
}

function findReason(
  { client, project }: TakenEntry,
  input: ServerInput,
  { isRemoteTaken }: TranslateOptions,
): string | undefined {
  if (input.url !== undefined) {
    const isSignedIn = input.oauth !== undefined && input.oauth.enabled !== false
    if (isSignedIn && !isRemoteTaken) return 'its client signs in to it; --remote takes it all the same'
    const hasKey = Object.keys(input.headers ?? {}).length > 0 || /[?&]/.test(input.url)
    if (isRemoteTaken || hasKey || isLoopback(input.url)) return undefined
    return 'it is remote and has no key, so its client may have signed in to it; --remote takes it all the same'
  }
  if (client === 'pasted' || project !== undefined) return undefined
  if (input.cwd !== undefined) {
    return isWhole(input.cwd) ? undefined : `its folder, "${input.cwd}", depends on that of the window`
  }
  const relative = [input.command ?? '', ...(input.args ?? [])].find((word) => /^\.{1,2}(?:[/\\]|$)/.test(word))
  return relative === undefined ? undefined : `"${relative}" depends on the folder of the window`
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}
