/**
 * Which playset a window looks at. A playset names folders anywhere on the machine, so that only a person may add one
 * (`switchboard playset add`); an agent chooses among those, for its own window, and another window's choice changes nothing. A
 * window on a mod has that mod by itself, without anybody's word.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, errorMessage } from '@switchboard/base'
import type { Playset } from '@switchboard/paradox'
import { type Caller, ownerOf } from '@switchboard/protocol'
import { type PackStore, ToolError } from '@switchboard/toolkit'
import type { LensIndex } from '../lens-index.ts'
import type { Workspaces } from '../workspaces.ts'
import type { JudgedPlayset, Judgement } from './judged.ts'
import { isModFolder } from './paradox-workspace.ts'

/** As it is kept. */
export interface AddedPlayset {
  readonly name: string
  /** Of the list of mods: absolute. */
  readonly path: string
  /** In the launcher's database. */
  readonly within?: string
  readonly gamePath?: string
  readonly userFolder?: string
  readonly workshopFolder?: string
}

export interface OpenPlayset {
  readonly name: string
  readonly playset: Playset
  readonly judged: JudgedPlayset
  /** Where the game writes its logs; undefined: nobody has said. */
  readonly logsFolder: string | undefined
}

const KIND = 'playset'
const CHOICE = 'choice'
const SCOPE = 'shared'

export interface PlaysetsOptions {
  readonly index: LensIndex
  readonly workspaces: Workspaces
  readonly store: PackStore
  readonly clock: Clock
}

export class Playsets {
  readonly #options: PlaysetsOptions
  /** By window. */
  readonly #chosen = new Map<string, string>()

  constructor(options: PlaysetsOptions) {
    this.#options = options
  }

  /** Those that a person has added, and the name of the one that holds for every window that has chosen none. */
  async list(): Promise<{ added: AddedPlayset[]; active: string | undefined }> {
    const { store } = this.#options
    if (store.isEmpty()) return { added: [], active: undefined }
    const space = await store.space('playsets')
    const { items } = await space.list({ scopes: [SCOPE], kinds: [KIND], limit: 1_000 })
    const choice = await space.get(CHOICE)
    // Written by `add`.
    const added = items.map(({ data }) => data as unknown as AddedPlayset).sort((a, b) => (a.name < b.name ? -1 : 1))
    // One that was taken away is nobody's.
    return { added, active: added.find(({ name }) => name === choice?.data.name)?.name }
  }

  /** Only a person does this. Rejects with what is wrong with the file. */
  async add({
    name,
    ...place
  }: Omit<AddedPlayset, 'name'> & { readonly name?: string }): Promise<{ added: AddedPlayset; playset: Playset }> {
    const playset = await this.#read({ name: name ?? place.path, ...place })
    const added = { name: name ?? playset.name, ...place }
    const space = await this.#options.store.space('playsets')
    const now = this.#options.clock.wallTime()
    const common = { scope: SCOPE, tags: [], createdAt: now, updatedAt: now }
    await space.put([{ ...common, id: `playset:${added.name}`, kind: KIND, text: added.name, data: { ...added } }])
    return { added, playset }
  }

  async remove(name: string): Promise<boolean> {
    const space = await this.#options.store.space('playsets')
    return (await space.remove([`playset:${name}`])) > 0
  }

  /** For every window that has chosen none. Only a person does this. */
  async activate(name: string): Promise<void> {
    await this.#find(name)
    const space = await this.#options.store.space('playsets')
    const now = this.#options.clock.wallTime()
    const item = {
      id: CHOICE,
      kind: CHOICE,
      scope: SCOPE,
      text: '',
      tags: [],
      data: { name },
      createdAt: now,
      updatedAt: now,
    }
    await space.put([item])
  }

  /** For this window alone. */
  async choose(caller: Caller, name: string): Promise<void> {
    await this.#find(name)
    const owner = ownerOf(caller)
    if (owner === undefined) throw new ToolError('E_NO_PLAYSET', 'Only a window or a session can choose a playset')
    this.#chosen.set(owner, name)
  }

  release(owner: string): void {
    this.#chosen.delete(owner)
  }

  /** Undefined: there is none for it. */
  async activeName(caller: Caller | undefined): Promise<string | undefined> {
    const chosen = caller === undefined ? undefined : this.#chosen.get(ownerOf(caller) ?? '')
    return chosen ?? (await this.list()).active
  }

  /** The one of the window, else of its mod. Throws a ToolError. */
  async open(caller: Caller | undefined, workspace: string | undefined, signal?: AbortSignal): Promise<OpenPlayset> {
    const name = await this.activeName(caller)
    if (name !== undefined) return this.openNamed(name, signal)
    if (workspace === undefined || !isModFolder(workspace)) {
      throw new ToolError('E_NO_PLAYSET', 'No playset is active, and the folder of this window is no mod')
    }
    return this.openMod(workspace, signal)
  }

  /** A mod by itself, whatever is active. */
  openMod(folder: string, signal?: AbortSignal): Promise<OpenPlayset> {
    return this.#openAdded({ name: folder, path: folder }, signal)
  }

  async openNamed(name: string, signal?: AbortSignal): Promise<OpenPlayset> {
    return this.#openAdded(await this.#find(name), signal)
  }

  /** As its files are now. Throws a ToolError. */
  judge({ name, judged }: OpenPlayset): Promise<Judgement> {
    return this.#options.index.write('judge', [judged]).catch((error: unknown) => {
      throw new ToolError('E_JUDGE_FAILED', `The conflicts of ${name} cannot be told: ${errorMessage(error)}`)
    })
  }

  async #openAdded(added: AddedPlayset, signal: AbortSignal | undefined): Promise<OpenPlayset> {
    const playset = await this.#read(added)
    const { layers } = playset
    if (layers.length === 0) throw new ToolError('E_NO_PLAYSET', `The playset ${playset.name} has no mod that is there`)
    const parts = await this.#options.workspaces.layersScope(
      layers.map(({ path }) => path),
      signal,
    )
    const logsFolder = added.userFolder === undefined ? undefined : join(added.userFolder, 'logs')
    const log = logsFolder === undefined ? undefined : join(logsFolder, 'database_conflicts.log')
    const engineLog = log !== undefined && existsSync(log) ? log : undefined
    const key = createHash('sha256')
      .update(JSON.stringify([layers, engineLog]))
      .digest('hex')
    return { name: added.name, playset, judged: { key, layers, parts, engineLog }, logsFolder }
  }

  async #find(name: string): Promise<AddedPlayset> {
    const { added } = await this.list()
    const found = added.find((one) => one.name === name)
    if (found !== undefined) return found
    const known = added.map((one) => `"${one.name}"`).join(', ')
    throw new ToolError('E_PLAYSET_NOT_FOUND', `There is no playset "${name}", but ${known === '' ? 'none' : known}`)
  }

  async #read({ name, path, within, gamePath, userFolder, workshopFolder }: AddedPlayset): Promise<Playset> {
    const options = {
      ...(within === undefined ? {} : { name: within }),
      ...(gamePath === undefined ? {} : { gamePath }),
      ...(userFolder === undefined ? {} : { userFolder }),
      ...(workshopFolder === undefined ? {} : { workshopFolder }),
    }
    const read = await this.#options.index.read('playset', [path, options])
    if ('problem' in read) throw new ToolError('E_NO_PLAYSET', `The playset ${name} cannot be read: ${read.problem}`)
    return read
  }
}

/** By the names of a few files: a mod has a descriptor, or the folders of the game. */
