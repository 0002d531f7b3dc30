import { nearestName } from '@switchboard/base'

/** What is to be said of a token that is for a profile that nobody has configured; undefined: nothing. */
export function describeProfileDoubt(profile: string | undefined, known: readonly string[]): string | undefined {
  if (profile === undefined || known.includes(profile)) return undefined
  const nearest = nearestName(profile, known)
  const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `there is no profile "${profile}", so every request with this token is refused.${question}`
}
