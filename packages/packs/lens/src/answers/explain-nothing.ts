/** Why nothing was found: whether that means that it is not there. */
import type { NotFound } from '../generated/types.ts'
import type { About } from '../thread/reader/about.ts'

export function explainNothing(what: string, about: About): NotFound {
  if (about.completeness === 'complete') {
    return { reason: 'not_in_index', message: `${what} is in no indexed file of this folder.` }
  }
  return { reason: 'still_building', message: `${what} was not found yet; the index is not complete.` }
}
