/** Composes providers into one catalog per profile, and tells when one changed. */
import { type Disposable, Listeners } from '@switchboard/base'
import type { CatalogPart, JsonObject, Provider } from '@switchboard/protocol'
import {
  DEFAULT_PROFILE,
  findProfile,
  type Profile,
  UNRESTRICTED,
  type Viewer,
  type WorkspaceListing,
} from './profile.ts'
import { View } from './view.ts'

export interface ProviderSource {
  /** In the order of the configuration. */
  providers(): readonly Provider[]
  /** The set of providers itself changed. `places`: nothing but what is seen there. */
  onDidChangeProviders(listener: (places?: ReadonlySet<string>) => void): Disposable
  /** The same object for the same names: views are kept by it. Absent: the same is listed everywhere. */
  listingIn?(workspace: string | undefined): WorkspaceListing
  /** The only place where a provider is seen, listed or not. Undefined: it is everybody's. */
  placeOf?(provider: string): string | undefined
  /** The places that callers of a workspace are in. The same set for the same places: views are kept by it. */
  placesOf?(workspace: string | undefined): ReadonlySet<string>
  /** What agents there are told besides what providers say, a line each. */
  remarksAt?(places: ReadonlySet<string>): readonly string[]
}

export type RouterEvent =
  /** `profiles`: whose views changed; absent: all. */
  | {
      readonly type: 'catalog_changed'
      readonly parts: readonly CatalogPart[]
      readonly profiles?: ReadonlySet<string>
      /** Whose views changed; absent: everywhere. */
      readonly places?: ReadonlySet<string>
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
const NOWHERE_ELSE: WorkspaceListing = { absent: new Set(), listed: new Set() }

export class Router {
  readonly #source: ProviderSource
  #profiles: ReadonlyMap<string, Profile>
  /** By the places that they are of, then by what is listed otherwise, then by profile. */
  readonly #views = new Map<ReadonlySet<string>, Map<WorkspaceListing, Map<string, View>>>()
  #unrestricted: View | undefined
  readonly #listeners = new Listeners<[event: RouterEvent]>()
  readonly #watched = new Map<Provider, Watched>()
  readonly #sourceSubscription: Disposable

  constructor(source: ProviderSource, profiles: readonly Profile[] = []) {
    this.#source = source
    this.#profiles = new Map(profiles.map((profile) => [profile.name, profile]))
    this.#sourceSubscription = source.onDidChangeProviders((places) => {
      const changed = this.#watchProviders()
      this.#onChange(['tools', 'resources', 'prompts'], places ?? changed)
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
    for (const byAbsent of this.#views.values())
      for (const views of byAbsent.values()) for (const name of changed) views.delete(name)
    this.#announce({ type: 'catalog_changed', parts: ['tools', 'resources', 'prompts'], profiles: changed })
  }

  providers(): readonly Provider[] {
    return this.#source.providers()
  }

  /** Throws `unknown_profile`. */
  view(profileName: string, listing: WorkspaceListing = NOWHERE_ELSE, places: ReadonlySet<string> = NOBODY): View {
    const views = this.#viewsOf(listing, places)
    const known = views.get(profileName)
    if (known !== undefined) return known
    const remarks = places.size === 0 ? [] : this.#source.remarksAt?.(places)
    const view = new View(findProfile(this.#profiles, profileName), this.#providersAt(places), listing, remarks)
    views.set(profileName, view)
    return view
  }

  /** Throws `unknown_profile`. */
  viewFor({ profile, isUnrestricted = false, workspace }: Viewer): View {
    if (!isUnrestricted)
      return this.view(profile, this.#source.listingIn?.(workspace), this.#source.placesOf?.(workspace))
    this.#unrestricted ??= new View(UNRESTRICTED, this.#source.providers())
    return this.#unrestricted
  }

  hasViewFor({ profile, isUnrestricted = false }: Viewer): boolean {
    return isUnrestricted || this.hasProfile(profile)
  }

  /** Whether an event is about something that this viewer may see. */
  concerns(event: RouterEvent, { profile, isUnrestricted = false, workspace }: Viewer): boolean {
    if (event.type === 'catalog_changed') {
      if (event.profiles?.has(profile) === false) return false
      return event.places === undefined || isUnrestricted || this.#isAtOneOf(event.places, workspace)
    }
    const place = this.#source.placeOf?.(event.provider)
    return place === undefined || isUnrestricted || this.#isAtOneOf(new Set([place]), workspace)
  }

  onDidChange(listener: (event: RouterEvent) => void): Disposable {
    return this.#listeners.add(listener)
  }

  dispose(): void {
    this.#sourceSubscription.dispose()
    for (const watched of this.#watched.values()) unwatch(watched)
    this.#watched.clear()
  }

  #providersAt(places: ReadonlySet<string>): readonly Provider[] {
    const all = this.#source.providers()
    if (this.#source.placeOf === undefined) return all
    return all.filter(({ name }) => {
      const place = this.#source.placeOf?.(name)
      return place === undefined || places.has(place)
    })
  }

  #isAtOneOf(places: ReadonlySet<string>, workspace: string | undefined): boolean {
    return doMeet(places, this.#source.placesOf?.(workspace) ?? NOBODY)
  }

  #viewsOf(listing: WorkspaceListing, places: ReadonlySet<string>): Map<string, View> {
    const isUsual = listing.absent.size + listing.listed.size === 0
    return child(child(this.#views, places.size === 0 ? NOBODY : places), isUsual ? NOWHERE_ELSE : listing)
  }

  /** Returns the places of those that came and went, where all of them have one. */
  #watchProviders(): ReadonlySet<string> | undefined {
    const current = new Set(this.#source.providers())
    const changed: (string | undefined)[] = []
    for (const [provider, watched] of this.#watched) {
      if (current.has(provider)) continue
      changed.push(watched.place)
      unwatch(watched)
      this.#watched.delete(provider)
    }
    for (const provider of current) {
      if (this.#watched.has(provider)) continue
      const place = this.#source.placeOf?.(provider.name)
      const own = place === undefined ? undefined : new Set([place])
      changed.push(place)
      const subscriptions = [
        provider.onCatalogChange((parts) => this.#onChange(parts, own)),
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
      ]
      this.#watched.set(provider, { place, subscriptions })
    }
    const places = changed.filter((place) => place !== undefined)
    return changed.length > 0 && places.length === changed.length ? new Set(places) : undefined
  }

  /** `at`: nothing is another but what is seen in these places. */
  #onChange(parts: readonly CatalogPart[], at?: ReadonlySet<string>): void {
    this.#unrestricted = undefined
    for (const places of this.#views.keys()) if (at === undefined || doMeet(places, at)) this.#views.delete(places)
    this.#announce({ type: 'catalog_changed', parts, ...(at === undefined ? {} : { places: at }) })
  }

  #announce(event: RouterEvent): void {
    this.#listeners.notify(event)
  }
}

interface Watched {
  readonly place: string | undefined
  readonly subscriptions: readonly Disposable[]
}

function unwatch({ subscriptions }: Watched): void {
  for (const subscription of subscriptions) subscription.dispose()
}

function doMeet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of some) if (others.has(one)) return true
  return false
}

function child<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = new Map<L, V>()
  map.set(key, fresh)
  return fresh
}

/** They are data from a configuration, built in one place: the same members come in the same order. */
function isEqual(one: Profile | undefined, other: Profile | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
