/**
 * The projects that windows are in: which of their servers run, and who sees them.
 *
 * 1. A project is open as long as a window is in it, and a little longer; then its servers end.
 * 2. Nothing of it runs but what is trusted at that moment: the files, those that they name, and what is trusted are looked at again
 *    when one of them changes.
 * 3. Its servers have names that no other place has; who is not in it neither sees them nor hears of them.
 * 4. Whatever is wrong with it is told to whoever is in it, and holds up nobody else.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Clock,
  type Disposable,
  errorMessage,
  Listeners,
  systemClock,
  type Timer,
  within,
} from '@switchboard/base'
import type { Environment } from '@switchboard/config'
import type { Logger } from '@switchboard/telemetry'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import type { PersonCommands } from '../packs/person-commands.ts'
import { findProject, type OwnFolders, PROJECT_FILES } from './find-project.ts'
import { createProjectCommands } from './project-commands.ts'
import { describeForAgents, isEmptyReading, type ProjectReport, reportProject } from './project-report.ts'
import type { ProjectTrust } from './project-trust.ts'
import { type ProjectReading, placeOfProvider, readProject } from './read-project.ts'

export interface ProjectsOptions {
  /** Absent: there is no home, and no project is read. */
  readonly home?: { readonly own: OwnFolders; readonly trust: ProjectTrust } | undefined
  readonly log: Logger
  readonly clock?: Clock
  /** Milliseconds that the servers of a project outlive its last window. */
  readonly grace?: number
  /** What `${NAME}` stands for. */
  variables(): Promise<Environment>
  /** The person's own. */
  config(): SwitchboardConfig
  /** Others are to run: resolves when they do, or start to. */
  apply(): Promise<void>
  /** Resolves when of all these servers something is known. */
  known(servers: readonly string[]): Promise<void>
}

export interface ProjectWindow {
  readonly instance: string
  readonly workspace: string
  /** False: what the folder configures is not for it. Default: true. */
  readonly project?: boolean
}

type Home = NonNullable<ProjectsOptions['home']>

interface Open {
  readonly folder: string
  readonly home: Home
  readonly windows: Map<string, string>
  readonly watched: Set<string>
  readonly onChange: () => void
  reading: ProjectReading | undefined
  /** Empty until it has something to say. */
  places: ReadonlySet<string>
  running: Promise<void> | undefined
  isStale: boolean
  isClosed: boolean
  grace: Timer | undefined
}

const NOWHERE: ReadonlySet<string> = new Set()
const GRACE_MS = 30_000
const POLL_MS = 1_000
/** A file that is just being written is looked at once more before it is called wrong. */
const SECOND_LOOK_MS = 200
/** No window waits longer for its project. */
const ENTER_MS = 2_000

export class Projects {
  readonly #options: ProjectsOptions
  readonly #open = new Map<string, Open>()
  readonly #byWorkspace = new Map<string, Open>()
  /** By place: its servers start for the first time. */
  readonly #starting = new Map<string, Promise<void>>()
  readonly #windows = new Map<string, string>()
  readonly #changed = new Listeners<[places: ReadonlySet<string>]>()
  #isClosed = false

  constructor(options: ProjectsOptions) {
    this.#options = options
  }

  /** What is seen in these places is another. */
  onDidChange(listener: (places: ReadonlySet<string>) => void): Disposable {
    return this.#changed.add(listener)
  }

  /** All that are here, in a project or not. */
  windows(): ProjectWindow[] {
    return [...this.#windows].map(([instance, workspace]) => ({ instance, workspace }))
  }

  get commands(): PersonCommands | undefined {
    const { home, variables, config } = this.#options
    return home === undefined
      ? undefined
      : createProjectCommands({ ...home, variables, config, look: () => this.look() })
  }

  /** The servers of the person, and beside them those of the projects that are open. */
  place(config: SwitchboardConfig): SwitchboardConfig {
    const readings = [...this.#open.values()].flatMap(({ reading }) => reading ?? [])
    if (readings.length === 0) return config
    return {
      ...config,
      servers: [...config.servers, ...readings.flatMap(({ runs }) => runs)],
      misconfigured: [...config.misconfigured, ...readings.flatMap(({ misconfigured }) => misconfigured)],
    }
  }

  /** The same set for the same project. */
  placesOf(workspace: string | undefined): ReadonlySet<string> {
    return workspace === undefined ? NOWHERE : (this.#byWorkspace.get(workspace)?.places ?? NOWHERE)
  }

  isSeenFrom(workspace: string | undefined, provider: string): boolean {
    const place = placeOfProvider(provider)
    return place === undefined || this.placesOf(workspace).has(place)
  }

  /** A line or none, for agents there. */
  remarksAt(places: ReadonlySet<string>): readonly string[] {
    return [...this.#open.values()].flatMap(({ reading }) =>
      reading !== undefined && places.has(reading.id) ? describeForAgents(reading) : [],
    )
  }

  /** Undefined: nothing there starts for the first time. */
  starting(workspace: string | undefined): Promise<void> | undefined {
    if (this.#starting.size === 0) return undefined
    for (const place of this.placesOf(workspace)) {
      const starting = this.#starting.get(place)
      if (starting !== undefined) return starting
    }
    return undefined
  }

  /** Of the projects that are open and say something. */
  report(): ProjectReport[] {
    return [...this.#open.values()].flatMap(({ reading, windows }) =>
      reading === undefined || isEmptyReading(reading) ? [] : [reportProject(reading, windows.size)],
    )
  }

  /** Awaited before the first message of a window is read. Never rejects. */
  async enter({ instance, workspace, project = true }: ProjectWindow): Promise<void> {
    const { home } = this.#options
    if (this.#isClosed) return
    this.#windows.set(instance, workspace)
    const found = home === undefined || !project ? undefined : findProject(workspace, home.own)
    if (home === undefined || found === undefined) return
    const open = this.#open.get(found.folder) ?? this.#create(found.folder, home)
    open.windows.set(instance, workspace)
    open.grace?.cancel()
    open.grace = undefined
    this.#byWorkspace.set(workspace, open)
    if (found.hasFiles && open.reading === undefined) await within(this.#refresh(open), ENTER_MS)
  }

  leave(instance: string): void {
    if (!this.#windows.delete(instance)) return
    for (const open of this.#open.values()) {
      if (!open.windows.delete(instance) || open.windows.size > 0) continue
      const { clock = systemClock, grace = GRACE_MS } = this.#options
      open.grace = clock.setBackgroundTimer(grace, () => void this.#end(open))
    }
  }

  /** Everything is looked at as it is now, for somebody who has just changed it. */
  async look(): Promise<void> {
    await Promise.all([...this.#open.values()].map((open) => this.#refresh(open)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = [...this.#open.values()].map((open) => {
      this.#forget(open)
      return open.running
    })
    await Promise.all(running)
  }

  #create(folder: string, home: Home): Open {
    const open: Open = {
      folder,
      home,
      windows: new Map(),
      watched: new Set(),
      onChange: () => void this.#refresh(open),
      reading: undefined,
      places: NOWHERE,
      running: undefined,
      isStale: false,
      isClosed: false,
      grace: undefined,
    }
    this.#open.set(folder, open)
    this.#watch(open, [])
    return open
  }

  /** One at a time; what changes meanwhile is looked at afterwards. */
  #refresh(open: Open): Promise<void> {
    open.isStale = true
    open.running ??= this.#run(open).finally(() => {
      open.running = undefined
    })
    return open.running
  }

  async #run(open: Open): Promise<void> {
    while (open.isStale && !open.isClosed) {
      open.isStale = false
      try {
        const reading = await this.#read(open)
        if (!open.isClosed) await this.#take(open, reading)
      } catch (error) {
        const { folder } = open
        this.#options.log.warn('project.read', `a project cannot be read: ${errorMessage(error)}`, { folder })
      }
    }
  }

  async #read(open: Open): Promise<ProjectReading> {
    const look = async (): Promise<ProjectReading> => {
      const { variables, config } = this.#options
      const { own, trust } = open.home
      const [trusted, env] = await Promise.all([trust.read(open.folder), variables()])
      const last = open.reading?.files
      return readProject(open.folder, { own, env, config: config(), trusted, ...(last === undefined ? {} : { last }) })
    }
    const reading = await look()
    const isDoubtful =
      reading.problems.length > 0 || (open.reading !== undefined && reading.files.size < open.reading.files.size)
    if (!isDoubtful) return reading
    await wait(SECOND_LOOK_MS)
    return look()
  }

  async #take(open: Open, reading: ProjectReading): Promise<void> {
    const before = open.reading
    open.reading = reading
    this.#watch(open, reading.named)
    if (before === undefined ? isEmptyReading(reading) : isSame(before, reading)) return
    const { id, folder, runs, misconfigured, servers, problems } = reading
    // Kept once it is there: whoever has seen something is told that it is gone.
    if (open.places.size === 0) open.places = new Set([id])
    const waiting = servers.filter(({ state }) => state === 'new' || state === 'changed').length
    const counts = { servers: runs.length, misconfigured: misconfigured.length, waiting, problems: problems.length }
    this.#options.log.info('project.read', `project ${id}: ${runs.length} servers, ${waiting} wait for trust`, {
      folder,
      ...counts,
    })
    if (before === undefined ? runs.length + misconfigured.length > 0 : !isSameRun(before, reading)) {
      await this.#options.apply()
      this.#awaitStart(id, before, reading)
    }
    this.#changed.notify(open.places)
  }

  #awaitStart(place: string, before: ProjectReading | undefined, { runs }: ProjectReading): void {
    const old = new Set(before?.runs.map((server) => JSON.stringify(server)))
    const fresh = runs.filter((server) => !old.has(JSON.stringify(server))).map(({ name }) => name)
    if (fresh.length === 0) return
    const starting = this.#options.known(fresh).finally(() => {
      if (this.#starting.get(place) === starting) this.#starting.delete(place)
    })
    this.#starting.set(place, starting)
  }

  async #end(open: Open): Promise<void> {
    this.#forget(open)
    await open.running
    if (open.reading === undefined || isEmptyReading(open.reading)) return
    this.#options.log.info('project.end', 'the last window of a project is gone', { folder: open.folder })
    await this.#options.apply()
  }

  #forget(open: Open): void {
    open.isClosed = true
    open.grace?.cancel()
    for (const file of open.watched) unwatchFile(file, open.onChange)
    if (this.#open.get(open.folder) === open) this.#open.delete(open.folder)
    for (const [workspace, known] of this.#byWorkspace) if (known === open) this.#byWorkspace.delete(workspace)
  }

  /** By polling: editors replace files, and watches of replaced files or of network disks are lost silently. */
  #watch(open: Open, named: readonly string[]): void {
    const wanted = new Set([
      ...PROJECT_FILES.map((name) => join(open.folder, name)),
      open.home.trust.fileOf(open.folder),
      ...named,
    ])
    for (const file of open.watched) {
      if (wanted.has(file)) continue
      unwatchFile(file, open.onChange)
      open.watched.delete(file)
    }
    for (const file of wanted) {
      if (open.watched.has(file)) continue
      watchFile(file, { interval: POLL_MS, persistent: false }, open.onChange)
      open.watched.add(file)
    }
  }
}

function isSame(one: ProjectReading, other: ProjectReading): boolean {
  const tell = ({ servers, problems }: ProjectReading): string => JSON.stringify([servers, problems])
  return tell(one) === tell(other) && isSameRun(one, other)
}

function isSameRun(one: ProjectReading, other: ProjectReading): boolean {
  const tell = ({ runs, misconfigured }: ProjectReading): string => JSON.stringify([runs, misconfigured])
  return tell(one) === tell(other)
}
