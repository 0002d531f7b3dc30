/**
 * Which servers there are once for all clients: the same one in two clients, whatever it is called there, is one; different ones
 * of one name are named apart by their client. What is configured here already stays as it is and keeps its name.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ServerInput } from '@switchboard/pool'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import { suggestName } from '../add/suggest-name.ts'
import type { StaticEntry } from '../doctor/static/static-entry.ts'
import { type TranslateOptions, takeEntry } from './take-entry.ts'

export interface ChosenServer {
  readonly name: string
  readonly input: ServerInput
  readonly from: readonly StaticEntry[]
  /** False: it is configured here already. */
  readonly isNew: boolean
  /** The name that it has there, where another one has that here. */
  readonly namedApartFrom?: string
  /** Keys of its entry that mean nothing here. */
  readonly dropped: readonly string[]
  /** Clients that had other rules for its tools, which are lost: those that came first hold. */
  readonly ruledApart?: readonly string[]
}

export interface LeftEntry {
  readonly entry: StaticEntry
  readonly reason: string
}

export interface ServerChoice {
  readonly servers: readonly ChosenServer[]
  readonly left: readonly LeftEntry[]
}

export interface ChooseOptions extends TranslateOptions {
  /** What is in our configuration, by name. */
  readonly configured: ReadonlyMap<string, ServerInput>
  /** Why our configuration would not take it; undefined: it would. */
  readonly check: (name: string, input: ServerInput) => string | undefined
  /** Names that the person leaves out. */
  readonly skip: readonly string[]
}

export function chooseServers(entries: readonly StaticEntry[], options: ChooseOptions): ServerChoice {
  const chosen = new Map<string, ChosenServer>()
  const byMeaning = new Map<string, string>()
  for (const [name, input] of options.configured) byMeaning.set(describeMeaning(input), name)
  const left: LeftEntry[] = []
  for (const entry of entries) {
    if (options.skip.includes(entry.name)) {
      left.push({ entry, reason: 'you left it out' })
      continue
    }
    const translation = takeEntry(entry, options)
    if (translation.reason !== undefined) {
      left.push({ entry, reason: translation.reason })
      continue
    }
    const { input, dropped } = translation
    const meaning = describeMeaning(input)
    const known = byMeaning.get(meaning)
    if (known !== undefined) {
      const before = chosen.get(known) ?? {
        name: known,
        input: options.configured.get(known) ?? input,
        isNew: false,
        from: [],
        dropped: [],
      }
      const isApart = !isDeepStrictEqual(before.input.tools, input.tools)
      chosen.set(known, {
        ...before,
        from: [...before.from, entry],
        ...(isApart ? { ruledApart: [...(before.ruledApart ?? []), entry.clientName] } : {}),
      })
      continue
    }
    const isTaken = (name: string): boolean => chosen.has(name) || options.configured.has(name)
    const name = findName(entry, isTaken)
    const reason = options.check(name, input)
    if (reason !== undefined) {
      left.push({ entry, reason })
      continue
    }
    byMeaning.set(meaning, name)
    const apart = name === suggestName(entry.name) ? {} : { namedApartFrom: entry.name }
    chosen.set(name, { name, input, from: [entry], isNew: true, dropped, ...apart })
  }
  return { servers: [...chosen.values()], left }
}

function findName({ name, client, project }: StaticEntry, isTaken: (name: string) => boolean): string {
  const own = suggestName(name)
  const folder = project?.split(/[/\\]/).at(-1)
  const candidates = [
    own,
    ...(folder === undefined ? [] : [suggestName(`${own}-${folder}`)]),
    suggestName(`${own}-${client}`),
  ]
  const free = candidates.find((candidate) => !isTaken(candidate) && candidate !== OWN_PROVIDER)
  if (free !== undefined) return free
  for (let number = 2; ; number++) if (!isTaken(`${own}-${number}`)) return `${own}-${number}`
}

/** Two entries with the same one start or reach the same server. */
function describeMeaning({ type, command, args = [], cwd, env = {}, url, headers = {} }: ServerInput): string {
  const sorted = (values: object): unknown => Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))
  if (command !== undefined) return JSON.stringify([command, args, cwd ?? null, sorted(env)])
  return JSON.stringify([
    type === 'sse' || type === 'websocket' ? type : 'http',
    (url ?? '').replace(/\/$/, ''),
    sorted(headers),
  ])
}
