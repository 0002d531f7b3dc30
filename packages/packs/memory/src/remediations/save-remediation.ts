/** Keeps a remediation; one that is there already, for the same error with the same solution, is kept once. */
import type { Space } from '@switchboard/store'
import { createId } from '../ids.ts'
import type { Finder } from '../search/finder.ts'
import { Turns } from '../turns.ts'
import type { ReadError } from './read-error.ts'
import { dataOf, REMEDIATION, type Remediation, readRemediation, SEVERITIES, textOfRemediation } from './remediation.ts'

export interface NewRemediation
  extends Pick<Remediation, 'scope' | 'errorMessage' | 'errorType' | 'solution' | 'severity' | 'context' | 'tags'> {
  readonly error: ReadError
  /** The folder of the project that it is for, as people know it. */
  readonly root?: string
}

export interface SavedRemediation {
  readonly remediation: Remediation
  /** It was there before. */
  readonly isMerged: boolean
}

/** As many of the same error are compared with what is saved. */
const MAX_COMPARED = 50
const MAX_TAGS = 20

export class RemediationSaver {
  readonly #finder: Finder
  readonly #space: () => Promise<Space>
  /** Two that save the same at once must not keep it twice. */
  readonly #turns = new Turns()

  constructor(finder: Finder, space: () => Promise<Space>) {
    this.#finder = finder
    this.#space = space
  }

  save(given: NewRemediation, now: number): Promise<SavedRemediation> {
    return this.#turns.take(() => this.#save(given, now))
  }

  async #save(given: NewRemediation, now: number): Promise<SavedRemediation> {
    const space = await this.#space()
    const same = await this.#findSame(space, given)
    const merged = same === undefined ? undefined : await this.#merge(space, same, given, now)
    if (merged !== undefined) return { remediation: merged, isMerged: true }
    const id = createId()
    const { scope, tags, error, root } = given
    const data = { ...dataOf({ ...given, worked: 0, failed: 0 }), ...(root === undefined ? {} : { root }) }
    const text = textOfRemediation(error)
    const item = { id, kind: REMEDIATION, scope, text, tags, data, createdAt: now, updatedAt: now }
    await space.put([item])
    return { remediation: readRemediation({ ...item, revision: 1 }), isMerged: false }
  }

  async #findSame(space: Space, { scope, error, solution }: NewRemediation): Promise<string | undefined> {
    const wanted = {
      scopes: [scope],
      kinds: [REMEDIATION],
      text: textOfRemediation(error),
      limit: MAX_COMPARED,
      byWords: true,
    }
    const { hits } = await this.#finder.find(space, wanted)
    const same = hits
      .map(({ item }) => readRemediation(item))
      .find((one) => one.error.signature === error.signature && flatten(one.solution) === flatten(solution))
    return same?.id
  }

  /** Undefined: it was deleted meanwhile. */
  async #merge(space: Space, id: string, given: NewRemediation, now: number): Promise<Remediation | undefined> {
    const changed = await space.change(id, (item) => {
      const known = readRemediation(item)
      const severity = SEVERITIES.findLast((name) => name === known.severity || name === given.severity) ?? 'medium'
      const context = { ...known.context, ...given.context }
      const tags = [...new Set([...known.tags, ...given.tags])].slice(0, MAX_TAGS)
      return { ...item, tags, data: { ...item.data, ...dataOf({ ...known, severity, context }) }, updatedAt: now }
    })
    return changed === undefined ? undefined : readRemediation(changed)
  }
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
