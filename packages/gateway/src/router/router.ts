/** Composes providers into one catalog per profile, and tells when one changed. */
import { type Disposable, Listeners } from '@switchboard/base'
import type { CatalogPart, JsonObject, Provider } from '@switchboard/protocol'
import { DEFAULT_PROFILE, findProfile, type Profile, UNRESTRICTED, type Viewer } from './profile.ts'
import { View } from './view.ts'

export interface ProviderSource {
  /** In the order of the configuration. */
  providers(): readonly Provider[]
  /** The set of providers itself changed. */
  onDidChangeProviders(listener: () => void): Disposable
  /**
   * Names of those that callers of a workspace do not get listed, unless their profile names them. The same set for the same
   * names: views are kept by it. Absent: all are listed everywhere.
   */
  absentIn?(workspace: string | undefined): ReadonlySet<string>
}

export type RouterEvent =
  /** `profiles`: whose views changed; absent: all. */
  | {
      readonly type: 'catalog_changed'
      readonly parts: readonly CatalogPart[]
      readonly profiles?: ReadonlySet<string>
    }
  | { readonly type: 'resource_updated'; readonly provider: string; readonly uri: string; readonly params: JsonObject }
  /** Anything else that a server announced. */
  | {
      readonly type: 'noticed'
      readonly provider: string
      readonly method: string
      readonly params: JsonObject
      /** Whose private server said it. Absent: one that serves all. */
      readonly owner?: string | undefined
    }

const NOBODY: ReadonlySet<string> = new Set()

export class Router {
  readonly #source: ProviderSource
  #profiles: ReadonlyMap<string, Profile>
  /** By who is absent, then by profile. */
  readonly #views = new Map<ReadonlySet<string>, Map<string, View>>()
  #unrestricted: View | undefined
  readonly #listeners = new Listeners<[event: RouterEvent]>()
  readonly #watched = new Map<Provider, Disposable[]>()
  readonly #sourceSubscription: Disposable

  constructor(source: ProviderSource, profiles: readonly Profile[] = []) {
    this.#source = source
    this.#profiles = new Map(profiles.map((profile) => [profile.name, profile]))
    this.#sourceSubscription = source.onDidChangeProviders(() => {
      this.#watchProviders()
      this.#onChange(['tools', 'resources', 'prompts'])
    })
    this.#watchProviders()
  }

  get profileNames(): string[] {
    return [...new Set([DEFAULT_PROFILE.name, ...this.#profiles.keys()])]
  }

  /** Throws `unknown_profile`. */
  checkProfile(name: string): void {
    findProfile(this.#profiles, name)
  }

  hasProfile(name: string): boolean {
    return name === DEFAULT_PROFILE.name || this.#profiles.has(name)
  }

  /** Who has a profile that changed hears of it; who has one that is gone is told at its next request. */
  setProfiles(profiles: readonly Profile[]): void {
    const before = this.#profiles
    const after = new Map(profiles.map((profile) => [profile.name, profile]))
    const changed = new Set(
      [...before.keys(), ...after.keys()].filter((name) => !isEqual(before.get(name), after.get(name))),
    )
    if (changed.size === 0) return
    this.#profiles = after
    for (const views of this.#views.values()) for (const name of changed) views.delete(name)
    this.#announce({ type: 'catalog_changed', parts: ['tools', 'resources', 'prompts'], profiles: changed })
  }

  providers(): readonly Provider[] {
    return this.#source.providers()
  }

  /** Throws `unknown_profile`. `absent`: names of those that are listed only where the profile names them. */
  view(profileName: string, absent: ReadonlySet<string> = NOBODY): View {
    const views = this.#viewsWithout(absent)
    const known = views.get(profileName)
    if (known !== undefined) return known
    const view = new View(findProfile(this.#profiles, profileName), this.#source.providers(), absent)
    views.set(profileName, view)
    return view
  }

  /** Throws `unknown_profile`. */
  viewFor({ profile, isUnrestricted = false, workspace }: Viewer): View {
    if (!isUnrestricted) return this.view(profile, this.#source.absentIn?.(workspace))
    this.#unrestricted ??= new View(UNRESTRICTED, this.#source.providers())
    return this.#unrestricted
  }

  hasViewFor({ profile, isUnrestricted = false }: Viewer): boolean {
    return isUnrestricted || this.hasProfile(profile)
  }

  onDidChange(listener: (event: RouterEvent) => void): Disposable {
    return this.#listeners.add(listener)
  }

  dispose(): void {
    this.#sourceSubscription.dispose()
    for (const subscriptions of this.#watched.values()) for (const subscription of subscriptions) subscription.dispose()
    this.#watched.clear()
  }

  #viewsWithout(absent: ReadonlySet<string>): Map<string, View> {
    const key = absent.size === 0 ? NOBODY : absent
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const views = new Map<string, View>()
    this.#views.set(key, views)
    return views
  }

  #watchProviders(): void {
    const current = new Set(this.#source.providers())
    for (const [provider, subscriptions] of this.#watched) {
      if (current.has(provider)) continue
      for (const subscription of subscriptions) subscription.dispose()
      this.#watched.delete(provider)
    }
    for (const provider of current) {
      if (this.#watched.has(provider)) continue
      this.#watched.set(provider, [
        provider.onCatalogChange((parts) => this.#onChange(parts)),
        provider.onResourceUpdated((uri, params) =>
          this.#announce({ type: 'resource_updated', provider: provider.name, uri, params }),
        ),
        ...(provider.onNotice === undefined
          ? []
          : [
              provider.onNotice((method, params, owner) =>
                this.#announce({ type: 'noticed', provider: provider.name, method, params, owner }),
              ),
            ]),
      ])
    }
  }

  #onChange(parts: readonly CatalogPart[]): void {
    this.#views.clear()
    this.#unrestricted = undefined
    this.#announce({ type: 'catalog_changed', parts })
  }

  #announce(event: RouterEvent): void {
    this.#listeners.notify(event)
  }
}

/** They are data from a configuration, built in one place: the same members come in the same order. */
function isEqual(one: Profile | undefined, other: Profile | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
