/**
 * Who is attached: one record for every connection of a front or a command. An instance has one connection at a time;
 * a second one of the same instance is a front that came back, and ends the first.
 */
import { type Disposable, Listeners } from '@switchboard/base'
import type { StdioServer } from '@switchboard/gateway'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import {
  type AttachParams,
  type AttachRole,
  REPLACED_METHOD,
  STOPPING_METHOD,
  TIMES_WANTED_METHOD,
} from '@switchboard/protocol/ipc'

/** What is known of an instance, as `status` tells it. */
export interface InstanceStatus {
  readonly instance: string
  readonly role: AttachRole
  readonly pid: number
  /** As the agent named itself; absent before it did. */
  readonly client?: { readonly name: string; readonly version: string }
  /** Of the front or command. */
  readonly version: string
  /** Absent: it sees everything, as a person at a terminal does. */
  readonly profile?: string
  readonly workspace?: string
  /** Absent: it has declared none. */
  readonly mode?: string
  readonly attached_at: string
  readonly in_flight: number
  readonly calls: number
}

/** What does not change while it is attached. */
export interface AttachedInstance {
  readonly instance: string
  readonly role: AttachRole
  readonly workspace?: string
  /** False: what its folder configures is not for it. */
  readonly project?: boolean
}

/** One end of a connection that speaks MCP. */
export interface AttachedConnection {
  readonly server: StdioServer
  /** Nothing is read or written any more. */
  end(reason: string): void
}

type AttachedListener = (instance: AttachedInstance) => void | Promise<void>
type DetachedListener = (instance: AttachedInstance) => void

interface Entry {
  readonly params: AttachParams
  readonly attachedAt: string
  readonly attached: AttachedInstance
  connection: AttachedConnection | undefined
}

export class InstanceRegistry {
  readonly #entries = new Map<string, Entry>()
  readonly #attachedListeners = new Listeners<[instance: AttachedInstance], void | Promise<void>>()
  readonly #detachedListeners = new Listeners<[instance: AttachedInstance]>()

  get size(): number {
    return this.#entries.size
  }

  /** Awaited before the first message of the instance is read: whatever must be so for its calls can be made so. */
  onAttached(listener: AttachedListener): Disposable {
    return this.#attachedListeners.add(listener)
  }

  /** Its connection is over, its calls are cancelled. The same instance may come back. */
  onDetached(listener: DetachedListener): Disposable {
    return this.#detachedListeners.add(listener)
  }

  /**
   * Ends the connection that this instance has, tells the listeners, and only then opens the new one. False: meanwhile
   * the same instance attached once more, and that one has it.
   */
  async attach(params: AttachParams, open: () => AttachedConnection): Promise<boolean> {
    const { instance, role, workspace, project } = params
    const before = this.#entries.get(instance)
    if (before !== undefined) {
      before.connection?.server.notify(REPLACED_METHOD)
      this.#remove(before, 'the same instance attached again')
    }
    const attached = {
      instance,
      role,
      ...(workspace === undefined ? {} : { workspace }),
      ...(project === undefined ? {} : { project }),
    }
    const entry: Entry = { params, attachedAt: new Date().toISOString(), attached, connection: undefined }
    this.#entries.set(instance, entry)
    try {
      await this.#attachedListeners.notifyInTurn(attached)
      if (this.#entries.get(instance) !== entry) return false
      entry.connection = open()
    } catch (error) {
      this.#remove(entry, 'it could not be attached')
      throw error
    }
    void entry.connection.server.ended.then((reason) => this.#remove(entry, reason))
    return true
  }

  list(): InstanceStatus[] {
    return [...this.#entries.values()].map(describe)
  }

  find(instance: string): InstanceStatus | undefined {
    const entry = this.#entries.get(instance)
    return entry === undefined ? undefined : describe(entry)
  }

  get inFlight(): number {
    let count = 0
    for (const { connection } of this.#entries.values()) count += connection?.server.inFlight ?? 0
    return count
  }

  /** The fronts are told that this is no crash, so that they start no other daemon. */
  refuseRequests(): void {
    for (const { connection } of this.#entries.values()) {
      connection?.server.notify(STOPPING_METHOD)
      connection?.server.refuseRequests()
    }
  }

  /** Fronts that are attached already are told that their times are wanted. */
  askForTimes(): void {
    for (const { params, connection } of this.#entries.values()) {
      if (params.tells_times === true) connection?.server.notify(TIMES_WANTED_METHOD)
    }
  }

  /** Whatever is under way is answered with the error, and every connection is ended. */
  shutDown(error: SwitchboardError): void {
    for (const entry of [...this.#entries.values()]) {
      entry.connection?.server.shutDown(error)
      this.#remove(entry, error.message)
    }
  }

  #remove(entry: Entry, reason: string): void {
    const { instance } = entry.params
    if (this.#entries.get(instance) !== entry) return
    this.#entries.delete(instance)
    entry.connection?.server.close(reason)
    entry.connection?.end(reason)
    this.#detachedListeners.notify(entry.attached)
  }
}

function describe({ params, attachedAt, connection }: Entry): InstanceStatus {
  const { instance, role, pid, version, profile, workspace } = params
  const { client, inFlight = 0, calls = 0 } = connection?.server ?? {}
  return {
    instance,
    role,
    pid,
    ...(client === undefined ? {} : { client: { name: client.name, version: client.version } }),
    version,
    ...(profile === undefined ? {} : { profile }),
    ...(workspace === undefined ? {} : { workspace }),
    attached_at: attachedAt,
    in_flight: inFlight,
    calls,
  }
}
