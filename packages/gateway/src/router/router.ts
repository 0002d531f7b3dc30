/** Composes providers into one catalog per profile, and tells when one changed. */
import type { CatalogPart, Disposable, JsonObject, Provider } from '@switchboard/protocol'
import { DEFAULT_PROFILE, findProfile, type Profile, UNRESTRICTED, type Viewer } from './profile.ts'
import { View } from './view.ts'

export interface ProviderSource {
  /** In the order of the configuration. */
  providers(): readonly Provider[]
  /** The set of providers itself changed. */
  onDidChangeProviders(listener: () => void): Disposable
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
  | { readonly type: 'noticed'; readonly method: string; readonly params: JsonObject }

export class Router {
  readonly #source: ProviderSource
  #profiles: ReadonlyMap<string, Profile>
  readonly #views = new Map<string, View>()
  #unrestricted: View | undefined
  readonly #listeners = new Set<(event: RouterEvent) => void>()
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
    for (const name of changed) this.#views.delete(name)
    this.#announce({ type: 'catalog_changed', parts: ['tools', 'resources', 'prompts'], profiles: changed })
  }

  providers(): readonly Provider[] {
    return this.#source.providers()
  }

  /** Throws `unknown_profile`. */
  view(profileName: string): View {
    const known = this.#views.get(profileName)
    if (known !== undefined) return known
    const view = new View(findProfile(this.#profiles, profileName), this.#source.providers())
    this.#views.set(profileName, view)
    return view
  }

  /** Throws `unknown_profile`. */
  viewFor({ profile, isUnrestricted = false }: Viewer): View {
    if (!isUnrestricted) return this.view(profile)
    this.#unrestricted ??= new View(UNRESTRICTED, this.#source.providers())
    return this.#unrestricted
  }

  hasViewFor({ profile, isUnrestricted = false }: Viewer): boolean {
    return isUnrestricted || this.hasProfile(profile)
  }

  onDidChange(listener: (event: RouterEvent) => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  dispose(): void {
    this.#sourceSubscription.dispose()
    for (const subscriptions of this.#watched.values()) for (const subscription of subscriptions) subscription.dispose()
    this.#watched.clear()
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
          : [provider.onNotice((method, params) => this.#announce({ type: 'noticed', method, params }))]),
      ])
    }
  }

  #onChange(parts: readonly CatalogPart[]): void {
    this.#views.clear()
    this.#unrestricted = undefined
    this.#announce({ type: 'catalog_changed', parts })
  }

  #announce(event: RouterEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

/** They are data from a configuration, built in one place: the same members come in the same order. */
function isEqual(one: Profile | undefined, other: Profile | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
