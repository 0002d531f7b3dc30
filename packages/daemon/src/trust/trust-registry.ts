/**
 * Which definitions of servers were let in. The pool asks it whenever a catalog is read; a person looks and decides through
 * `trust-commands.ts`. Nothing of it is on the way of a call.
 *
 * Invariants
 * 1. What a server offers is judged before anybody sees it, from what is in memory: judging waits for nothing.
 * 2. What was accepted once is replaced by a person's word alone; of two processes that see a server first, one wins.
 * 3. A record that cannot be read holds all of its server back; it never means that the server is new.
 * 4. A person accepts what was shown: what changed again since then goes on waiting.
 */
import { errorMessage } from '@switchboard/base'
import { identifyServer, type PoolConfig, type ServerConfig } from '@switchboard/pool'
import type { Catalog } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import { acceptEntries, isAcceptedAlike, mergeJudged, takeBack, withEntries } from './change-record.ts'
import { keyOf, listDefinitions } from './definition.ts'
import type { SeenServer } from './find-remarks.ts'
import { createSuspect } from './find-suspicions.ts'
import { holdBack } from './hold-back.ts'
import { type DefinitionPolicy, judgeDefinitions } from './judge-definitions.ts'
import { logJudged } from './log-judged.ts'
import { TrustFiles, toFileName } from './trust-files.ts'
import type { TrustEntry, TrustRecord } from './trust-record.ts'
import { TrustRemarks } from './trust-remarks.ts'
import { type ServerTrust, type TrustSummary, toReport, toWaiting, type WaitingReport } from './trust-report.ts'

export interface TrustRegistryOptions {
  /** Need not exist. */
  readonly directory: string
  readonly log: Logger
  /** The one that holds. */
  readonly config: () => Pick<PoolConfig, 'servers' | 'definitions'>
  /** What a server may show is another than before. */
  onChanged(server: string): void
}

interface Known {
  record: TrustRecord
  readonly file: string
  /** What the server had when it was last read, by `keyOf`; undefined: it was not read yet. */
  offered: ReadonlySet<string> | undefined
}

export class TrustRegistry {
  readonly #options: TrustRegistryOptions
  readonly #files: TrustFiles
  readonly #remarks: TrustRemarks
  /** By file. */
  readonly #known = new Map<string, Known>()
  /** Failed writes are told once. */
  #isTold = false

  constructor(options: TrustRegistryOptions) {
    this.#options = options
    this.#files = new TrustFiles(options.directory, options.log)
    this.#remarks = new TrustRemarks({
      log: options.log,
      seen: () => this.#listSeen(),
      isAcknowledged: (server, id) => {
        const config = this.#find(server)
        return config !== undefined && this.#open(config).record.acknowledged.has(id)
      },
    })
  }

  /** Hears from here on what another process accepts. */
  start(): void {
    this.#files.watch((file) => this.#onFileChanged(file))
  }

  async close(): Promise<void> {
    this.#remarks.close()
    await this.#files.close()
  }

  /** What of a catalog may be shown: as the pool wants it, at once, and the same object where nothing is held back. */
  judge(server: ServerConfig, read: Catalog): Catalog {
    const policy = this.#policyOf(server)
    if (policy === 'off') return read
    const known = this.#open(server)
    const definitions = listDefinitions(read)
    const now = new Date().toISOString()
    const verdicts = judgeDefinitions(known.record, definitions, { policy, now, suspect: createSuspect() })
    known.offered = new Set(definitions.map(keyOf))
    const changed = verdicts.flatMap(({ entry }) => (known.record.entries.get(keyOf(entry)) === entry ? [] : [entry]))
    if (changed.length > 0) this.#remember(known, changed, policy)
    for (const { uri } of read.resources) if (uri.startsWith('file:')) this.#remarks.noteFileLink(server, uri)
    this.#remarks.onSeenChanged()
    return holdBack(read, known.record, verdicts)
  }

  /** A result of the server linked to a file; `workspace`: of whoever was given it. */
  noteFileLink(server: string, uri: string, workspace: string | undefined): void {
    const config = this.#find(server)
    if (config !== undefined && this.#policyOf(config) !== 'off') this.#remarks.noteFileLink(config, uri, workspace)
  }

  /** Of all servers that are configured or were, or of one. `isWhole`: with what differs. */
  report({ server, isWhole = false }: { server?: string | undefined; isWhole?: boolean } = {}): ServerTrust[] {
    const { servers, definitions } = this.#options.config()
    const names = new Set(servers.map(({ name }) => name))
    const gone = this.#listGone(server, names)
    return [
      ...servers
        .filter(({ name }) => server === undefined || name === server)
        .map((one) => this.#reportOne(one, isWhole)),
      ...gone.map((record) => toReport(record, { isConfigured: false, policy: definitions, isWhole })),
    ]
  }

  /** Of those servers only of which there is something to tell. */
  summarize(): TrustSummary[] {
    return this.#options.config().servers.flatMap((config) => {
      if (!config.enabled || this.#policyOf(config) === 'off') return []
      const { server, waiting, remarks } = this.#reportOne(config, false)
      const held = waiting.filter(({ isHeld }) => isHeld).length
      const summary = { server, held, waiting: waiting.length - held, remarks: remarks.length }
      return waiting.length + remarks.length === 0 ? [] : [summary]
    })
  }

  /** `name`: of one tool or prompt. `hashes`: what was shown; absent: whatever waits now. Returns what was accepted. */
  async accept(
    server: string,
    { name, hashes }: { name?: string | undefined; hashes?: readonly string[] | undefined } = {},
  ): Promise<WaitingReport[]> {
    const config = this.#find(server)
    if (config === undefined) return []
    const known = this.#open(config)
    const remarks = this.#remarks.of(server).filter((remark) => name === undefined || remark.name === name)
    const word = { name, hashes, at: new Date().toISOString(), remarks: remarks.map(({ id }) => id) }
    let meant: readonly TrustEntry[] = []
    await this.#change(known, (record = known.record) => {
      const accepted = acceptEntries(record, word)
      meant = accepted.meant
      return accepted.record
    })
    return meant.flatMap((entry) => toWaiting(entry, true, false))
  }

  /** All of it waits for a person from now on. Of one that is not configured the record is removed. False: there is none. */
  async revoke(server: string): Promise<boolean> {
    const config = this.#find(server)
    if (config === undefined) {
      const gone = this.#listGone(server, new Set())
      for (const record of gone) await this.#files.remove(this.#files.fileOf(record.server, record.identity))
      return gone.length > 0
    }
    const known = this.#open(config)
    await this.#change(known, (record = known.record) => takeBack(record, new Date().toISOString()))
    return true
  }

  #policyOf({ definitions }: Pick<ServerConfig, 'definitions'>): DefinitionPolicy {
    return definitions ?? this.#options.config().definitions
  }

  #find(server: string): ServerConfig | undefined {
    return this.#options.config().servers.find(({ name }) => name === server)
  }

  #reportOne(config: ServerConfig, isWhole: boolean): ServerTrust {
    const { record, offered } = this.#open(config)
    return toReport(record, {
      isConfigured: true,
      policy: this.#policyOf(config),
      isWhole,
      isOffered: (key) => offered?.has(key) ?? true,
      remarks: this.#remarks.of(config.name),
    })
  }

  /** Of one name or of all, but for those that are configured: theirs are read when they are needed. */
  #listGone(server: string | undefined, configured: ReadonlySet<string>): TrustRecord[] {
    if (server !== undefined && configured.has(server)) return []
    const known = new Set([...configured].map(toFileName))
    const wanted = server === undefined ? undefined : toFileName(server)
    const records = this.#files.readNamed((name) => (wanted === undefined ? !known.has(name) : name === wanted))
    return records.filter((record) => server === undefined || record.server === server)
  }

  #listSeen(): SeenServer[] {
    const configured = this.#options.config().servers.filter((one) => one.enabled && this.#policyOf(one) !== 'off')
    return configured
      .map((config) => this.#open(config))
      .toSorted((one, other) => one.record.since.localeCompare(other.record.since))
      .map(({ record, offered }) => ({
        server: record.server,
        definitions: [...record.entries.values()].flatMap((entry) => {
          const last = entry.waiting ?? entry.accepted
          const isOffered = offered?.has(keyOf(entry)) ?? true
          return last === undefined || !isOffered ? [] : [{ ...entry, hash: last.hash, content: last.content }]
        }),
      }))
  }

  #open(server: ServerConfig): Known {
    const identity = identifyServer(server)
    const file = this.#files.fileOf(server.name, identity)
    const known = this.#known.get(file)
    if (known !== undefined) return known
    const opened: Known = { file, record: this.#read(server, identity, file), offered: undefined }
    this.#known.set(file, opened)
    return opened
  }

  #read({ name: server }: ServerConfig, identity: string, file: string): TrustRecord {
    const reading = this.#files.read(file)
    if (reading.state === 'read') return reading.record
    const since = new Date().toISOString()
    const empty = { server, identity, since, isRevoked: false, entries: new Map(), acknowledged: new Set<string>() }
    const { log } = this.#options
    if (reading.state === 'damaged') {
      log.warn('trust.record', `${server}: all of it is held back: ${reading.reason}`, { server })
      return { ...empty, isRevoked: true }
    }
    const [before] = this.#listGone(server, new Set())
    if (before === undefined) return empty
    log.warn('trust.identity', `${server}: runs something else than before: what it offers is accepted anew`, {
      server,
    })
    return { ...empty, replaces: before.identity }
  }

  /** In memory at once; on disk as soon as it can be. */
  #remember(known: Known, changed: readonly TrustEntry[], policy: DefinitionPolicy): void {
    const { log } = this.#options
    const isHeld = policy !== 'warn' || known.record.isRevoked
    logJudged(log, { record: known.record, changed, isHeld })
    known.record = withEntries(known.record, changed)
    const { record } = known
    this.#change(known, (written) => (written === undefined ? record : mergeJudged(written, changed))).catch(
      (error: unknown) => {
        if (this.#isTold) return
        this.#isTold = true
        log.warn('trust.record', `what is known of definitions is not written: ${errorMessage(error)}`)
      },
    )
  }

  async #change(known: Known, change: (record: TrustRecord | undefined) => TrustRecord | undefined): Promise<void> {
    const after = await this.#files.change(known.file, change)
    if (after !== undefined) this.#adopt(known, after)
  }

  #onFileChanged(file: string): void {
    const known = this.#known.get(file)
    const reading = known === undefined ? undefined : this.#files.read(file)
    if (known !== undefined && reading?.state === 'read') this.#adopt(known, reading.record)
  }

  #adopt(known: Known, record: TrustRecord): void {
    const before = known.record
    known.record = record
    if (!isAcceptedAlike(before, record)) this.#options.onChanged(record.server)
  }
}
