/**
 * All skills. What they are called and what they are for is in memory, so that lists cost nothing; what they say is in the store.
 *
 * 1. No two have the same name. Whatever changes one waits for its turn, so that two at once cannot both find a name free; where
 *    others have put two of one name into the store, the one that was made later gets another.
 * 2. A version is in the history before the next one takes its place: whatever ends the daemon, none is lost.
 * 3. A use is counted when the skill is given out, its outcome once.
 * 4. What others change in the store, such as another daemon on the same server, is seen some seconds later: by who asks then.
 */
import { type Clock, type Disposable, Listeners, nearestNames } from '@switchboard/base'
import type { Item, Space, StoredItem } from '@switchboard/store'
import { ToolError } from '@switchboard/toolkit'
import { createId } from '../ids.ts'
import { SHARED_SCOPE } from '../projects/projects.ts'
import { Turns } from '../turns.ts'
import { historyScope, toPastVersion, VERSION_KIND } from './past-version.ts'
import { compareVersions, nextPatch, parseVersion } from './semantic-version.ts'
import { SKILL_KIND, type Skill, type SkillText, toItem, toSkill } from './skill.ts'
import { createSkillDocument } from './skill-document.ts'
import { freeNameLike, toSkillName } from './skill-name.ts'

/** Without its content, with that of its document. */
export interface ShelvedSkill extends Omit<Skill, 'content'> {
  readonly digest: string
  readonly size: number
}

export interface PastVersion {
  readonly version: string
  readonly replacedAt: number
}

export interface Use {
  readonly id: string
  readonly skill: Skill
}

/** It was called as another is, and is called otherwise now. */
export interface Renamed {
  readonly id: string
  readonly from: string
  readonly to: string
}

export type SkillChange = { readonly [Key in keyof SkillText]?: SkillText[Key] | undefined }

const USE_KIND = 'use'
/** More than anybody looks through. */
const MAX_SKILLS = 1_000
/** The newest uses of all skills: of an older one nobody tells any more how it ended. */
const MAX_USES = 2_000
const PAGE = 100
/** Milliseconds for which nobody looks whether others have changed something. */
const FRESH_MS = 5_000

export class SkillShelf {
  readonly #openSpace: () => Promise<Space>
  readonly #clock: Clock
  readonly #changed = new Listeners<[]>()
  readonly #rewritten = new Listeners<[name: string]>()
  readonly #byId = new Map<string, ShelvedSkill>()
  #loaded: Promise<Space> | undefined
  /** What the store held when it was read: how many, and which was changed last. */
  #seen = ''
  #lookedAt = 0
  #looking: Promise<void> | undefined
  readonly #turns = new Turns()

  constructor(openSpace: () => Promise<Space>, clock: Clock) {
    this.#openSpace = openSpace
    this.#clock = clock
  }

  /** Reads what is stored, once; a failure is told, and the next one tries again. */
  load(): Promise<Space> {
    this.#loaded ??= this.#open().catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }

  /** After others have put skills into the store. Resolves with those that had the name of another. */
  reload(): Promise<Renamed[]> {
    return this.#inTurn(async (space) => {
      await this.#readAll(space)
      this.#changed.notify()
      return await this.#partNames(space)
    })
  }

  /** As far as they are known: none before they are loaded. By name. Who listens is told when others have changed them. */
  known(): ShelvedSkill[] {
    if (this.#loaded !== undefined) void this.#lookForChanges().catch(() => undefined)
    return this.#sorted()
  }

  async all(): Promise<ShelvedSkill[]> {
    await this.load()
    await this.#lookForChanges()
    return this.#sorted()
  }

  /** What it is called, or what it is for, is another. */
  onDidChange(listener: () => void): Disposable {
    return this.#changed.add(listener)
  }

  /** What the document of a name says is another. */
  onDidRewrite(listener: (name: string) => void): Disposable {
    return this.#rewritten.add(listener)
  }

  /** By its id, or any way to write its name. Throws E_SKILL_NOT_FOUND. */
  async get(idOrName: string): Promise<Skill> {
    const space = await this.load()
    const item = await space.get(this.#findId(idOrName))
    if (item !== undefined) return toSkill(item)
    throw new ToolError('E_SKILL_NOT_FOUND', `The skill ${idOrName} was deleted a moment ago`)
  }

  /** The versions before the one that it has now, the last first. */
  async history(id: string): Promise<PastVersion[]> {
    const items = await this.#listHistory(await this.load(), id)
    return items.map(({ data, createdAt }) => ({ version: String(data.version), replacedAt: createdAt }))
  }

  create(text: SkillText): Promise<Skill> {
    return this.#inTurn(async (space) => {
      checkVersion(text.version)
      await this.#readIfChanged(space)
      const name = this.#claimName(text.title)
      if (this.#byId.size >= MAX_SKILLS) {
        throw new ToolError('E_CAPACITY', `There are ${MAX_SKILLS} skills, and that is as many as there can be`)
      }
      const now = this.#clock.wallTime()
      const skill = {
        ...text,
        id: createId(),
        name,
        uses: 0,
        successes: 0,
        failures: 0,
        createdAt: now,
        updatedAt: now,
      }
      await space.put([toItem(skill)])
      this.#shelve(skill)
      return skill
    })
  }

  update(idOrName: string, change: SkillChange): Promise<Skill> {
    return this.#inTurn(async (space) => {
      const before = await this.get(idOrName)
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const after: Skill = { ...before, ...given, updatedAt: this.#clock.wallTime() }
      checkRise(before, after)
      const name = after.title === before.title ? before.name : this.#claimName(after.title, before.id)
      if (after.version !== before.version) await space.put([toPastVersion(before, after.updatedAt)])
      // Uses may be counted meanwhile: those are as they are then.
      const stored = await space.change(before.id, (item) => {
        const { uses, successes, failures } = toSkill(item)
        return toItem({ ...after, name, uses, successes, failures })
      })
      if (stored === undefined) throw new ToolError('E_SKILL_NOT_FOUND', `The skill ${idOrName} was deleted meanwhile`)
      return this.#shelve(toSkill(stored))
    })
  }

  /** With its history, for good. Resolves with what it was. */
  remove(idOrName: string): Promise<{ readonly skill: Skill; readonly versions: number }> {
    return this.#inTurn(async (space) => {
      const skill = await this.get(idOrName)
      const past = await this.#listHistory(space, skill.id)
      await space.remove([skill.id, ...past.map(({ id }) => id)])
      this.#byId.delete(skill.id)
      this.#changed.notify()
      return { skill, versions: past.length + 1 }
    })
  }

  /** Gives it out, and counts that. `version`: an older one. */
  use(idOrName: string, version: string | undefined): Promise<Use> {
    return this.#inTurn(async (space) => {
      const skill = await this.get(idOrName)
      const content = version === undefined ? skill.content : await this.#readVersion(space, skill, version)
      const id = createId()
      const now = this.#clock.wallTime()
      const data = { skill: skill.id, version: version ?? skill.version }
      await space.put([toUse(id, data, now)])
      const stored = await space.change(skill.id, (item) => toItem({ ...toSkill(item), uses: toSkill(item).uses + 1 }))
      if (stored !== undefined) this.#shelve(toSkill(stored))
      await this.#forgetOldUses(space)
      return { id, skill: { ...skill, content, version: version ?? skill.version, uses: skill.uses + 1 } }
    })
  }

  /** Throws E_USE_NOT_FOUND, and E_FEEDBACK_EXISTS for a use of which was told. */
  tellOutcome(useId: string, isSuccess: boolean): Promise<Skill> {
    return this.#inTurn(async (space) => {
      const use = await space.get(useId)
      if (use?.kind !== USE_KIND) throw new ToolError('E_USE_NOT_FOUND', `No use of a skill has the id ${useId}`)
      if (typeof use.data.success === 'boolean') {
        throw new ToolError(
          'E_FEEDBACK_EXISTS',
          `It was told before that this use ${use.data.success ? 'worked' : 'failed'}`,
        )
      }
      await space.change(useId, (item) => ({ ...item, data: { ...item.data, success: isSuccess } }))
      const stored = await space.change(String(use.data.skill), (item) => {
        const skill = toSkill(item)
        const count = isSuccess ? { successes: skill.successes + 1 } : { failures: skill.failures + 1 }
        return toItem({ ...skill, ...count })
      })
      if (stored === undefined) throw new ToolError('E_SKILL_NOT_FOUND', 'The skill of this use was deleted')
      return this.#shelve(toSkill(stored))
    })
  }

  /** When everything that was asked for is done. */
  async settle(): Promise<void> {
    await this.#loaded?.catch(() => undefined)
    await this.#turns.settle()
  }

  async #open(): Promise<Space> {
    const space = await this.#openSpace()
    await this.#readAll(space)
    if (this.#byId.size > 0) this.#changed.notify()
    return space
  }

  async #readAll(space: Space): Promise<void> {
    const seen = await this.#lookInto(space)
    const all = new Map<string, ShelvedSkill>()
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await space.list({ ...ALL_SKILLS, limit: PAGE, offset })
      for (const item of items) all.set(item.id, toShelved(toSkill(item)))
      if (items.length < PAGE) break
    }
    this.#byId.clear()
    for (const [id, skill] of all) this.#byId.set(id, skill)
    this.#seen = seen
  }

  async #lookInto(space: Space): Promise<string> {
    this.#lookedAt = this.#clock.now()
    const { items, total } = await space.list({ ...ALL_SKILLS, limit: 1, sortBy: 'updatedAt' })
    return `${total} ${items[0]?.id} ${items[0]?.updatedAt}`
  }

  /** Once for all who ask at the same time. A store that does not answer is no reason to know nothing. */
  #lookForChanges(): Promise<void> {
    if (this.#clock.now() - this.#lookedAt < FRESH_MS) return this.#looking ?? Promise.resolve()
    this.#looking ??= this.#inTurn((space) => this.#readIfChanged(space))
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #readIfChanged(space: Space): Promise<void> {
    if ((await this.#lookInto(space)) === this.#seen) return
    const before = new Map([...this.#byId].map(([id, { digest }]) => [id, digest]))
    await this.#readAll(space)
    const changed = [...this.#byId.values()].filter(({ id, digest }) => before.get(id) !== digest)
    if (changed.length > 0 || this.#byId.size !== before.size) this.#changed.notify()
    for (const { id, name } of changed) if (before.has(id)) this.#rewritten.notify(name)
  }

  /** The one that was made first keeps it. */
  async #partNames(space: Space): Promise<Renamed[]> {
    const byAge = [...this.#byId.values()].sort(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    )
    const taken = new Set(byAge.map(({ name }) => name))
    const owners = new Set<string>()
    const renamed: Renamed[] = []
    for (const { id, name: from } of byAge) {
      if (!owners.has(from)) {
        owners.add(from)
        continue
      }
      const to = freeNameLike(from, taken)
      taken.add(to)
      const stored = await space.change(id, (item) => toItem({ ...toSkill(item), name: to }))
      if (stored !== undefined) this.#shelve(toSkill(stored))
      renamed.push({ id, from, to })
    }
    return renamed
  }

  #sorted(): ShelvedSkill[] {
    return [...this.#byId.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  #findId(idOrName: string): string {
    if (this.#byId.has(idOrName)) return idOrName
    const name = tryName(idOrName)
    const found = this.#sorted().find((skill) => skill.name === name)
    if (found !== undefined) return found.id
    const names = this.#sorted().map((skill) => skill.name)
    const [nearest] = nearestNames(name ?? idOrName, names)
    throw new ToolError('E_SKILL_NOT_FOUND', `There is no skill "${idOrName}"`, {
      ...(nearest === undefined ? {} : { hint: `Did you mean ${nearest}? skill_search finds others.` }),
      details: { skill: idOrName },
    })
  }

  #claimName(title: string, own?: string): string {
    const name = toSkillName(title)
    const taken = this.#sorted().find((skill) => skill.name === name && skill.id !== own)
    if (taken === undefined) return name
    throw new ToolError(
      'E_SKILL_EXISTS',
      `The skill ${name} (${taken.version}) is there already, with the id ${taken.id}`,
      {
        details: { id: taken.id, name, version: taken.version },
      },
    )
  }

  async #listHistory(space: Space, skill: string): Promise<StoredItem[]> {
    const items: StoredItem[] = []
    for (let offset = 0; ; offset += PAGE) {
      const page = await space.list({ scopes: [historyScope(skill)], kinds: [VERSION_KIND], limit: PAGE, offset })
      items.push(...page.items)
      if (page.items.length < PAGE) return items
    }
  }

  async #readVersion(space: Space, skill: Skill, version: string): Promise<string> {
    if (version === skill.version) return skill.content
    const past = await this.#listHistory(space, skill.id)
    const found = past.find(({ data }) => data.version === version)
    if (typeof found?.data.content === 'string') return found.data.content
    const known = [skill.version, ...past.map(({ data }) => String(data.version))]
    throw new ToolError(
      'E_SKILL_NOT_FOUND',
      `${skill.name} has no version ${version}, but ${known.slice(0, 20).join(', ')}`,
    )
  }

  async #forgetOldUses(space: Space): Promise<void> {
    const old = await space.list({ scopes: [USES_SCOPE], kinds: [USE_KIND], limit: PAGE, offset: MAX_USES })
    if (old.items.length > 0) await space.remove(old.items.map(({ id }) => id))
  }

  #shelve(skill: Skill): Skill {
    const before = this.#byId.get(skill.id)
    const after = toShelved(skill)
    this.#byId.set(skill.id, after)
    if (before?.digest !== after.digest) this.#changed.notify()
    if (before !== undefined && before.digest !== after.digest) this.#rewritten.notify(skill.name)
    return skill
  }

  #inTurn<Result>(act: (space: Space) => Promise<Result>): Promise<Result> {
    return this.#turns.take(async () => act(await this.load()))
  }
}

const ALL_SKILLS = { scopes: [SHARED_SCOPE], kinds: [SKILL_KIND] }

/** Of no project: whoever lists skills names other scopes. */
const USES_SCOPE = 'uses'

function toShelved(skill: Skill): ShelvedSkill {
  const { digest, size } = createSkillDocument(skill)
  const { content: _content, ...rest } = skill
  return { ...rest, digest, size }
}

/** Without a text: no search finds it. */
function toUse(id: string, data: Item['data'], at: number): Item {
  return { id, kind: USE_KIND, scope: USES_SCOPE, text: '', tags: [], data, createdAt: at, updatedAt: at }
}

function tryName(text: string): string | undefined {
  try {
    return toSkillName(text)
  } catch {
    return undefined
  }
}

function checkVersion(version: string) {
  const parsed = parseVersion(version)
  if (parsed !== undefined) return parsed
  throw new ToolError('E_SKILL_VERSION_INVALID', `"${version}" is no version such as 1.0.0 or 2.1.0-beta.1`)
}

function checkRise(before: Skill, after: Skill): void {
  const [old, wanted] = [checkVersion(before.version), checkVersion(after.version)]
  const rise = compareVersions(wanted, old)
  if (rise > 0 || (rise === 0 && after.content === before.content && after.version === before.version)) return
  const problem =
    after.version === before.version
      ? `The content is another, and the version is still ${before.version}`
      : `${after.version} is not above ${before.version}`
  throw new ToolError('E_SKILL_VERSION_INVALID', problem, { hint: `Give a higher version, such as ${nextPatch(old)}.` })
}
