/** What a checkpoint says without being told: where the repository stands, and what of this caller is under way. */
import { within } from '@switchboard/base'
import { readGitFacts } from '../git/git-facts.ts'
import type { Context } from '../host.ts'
import type { KnownFacts } from './checkpoint.ts'

/** A save is not kept waiting for longer: what is not known by then is left out. */
const BOUND_MS = 1_500

export async function gatherFacts(root: string, { host, call, log }: Context): Promise<KnownFacts> {
  const git = await within(
    readGitFacts(root, BOUND_MS).catch((error: unknown) => {
      log.warn('memory.git', `could not ask git about ${root}: ${String(error)}`)
      return undefined
    }),
    BOUND_MS,
  )
  const mode = host.services.modeOf(call.caller)
  const standing = host.services.standing(call.caller)
  return {
    ...(git?.branch === undefined ? {} : { branch: git.branch }),
    ...(git?.commit === undefined ? {} : { commit: git.commit }),
    ...(git === undefined || git.changed.length === 0 ? {} : { changed: git.changed }),
    ...(git === undefined || git.moreChanged === 0 ? {} : { moreChanged: git.moreChanged }),
    ...(mode === undefined ? {} : { mode }),
    ...(standing.length === 0 ? {} : { standing }),
  }
}
