/** What is known of the other end of one connection; found out once. */
import type { Socket } from 'node:net'
import type { Peer } from '../access/access-verdict.ts'
import type { OwnPeerCheck } from '../access/own-peers.ts'

export class HttpPeer implements Peer {
  /** A number of its own. */
  readonly connection: string
  readonly address: string
  readonly #socket: Socket
  readonly #check: OwnPeerCheck
  #isSameUser: boolean | Promise<boolean> | undefined

  constructor(connection: string, socket: Socket, check: OwnPeerCheck) {
    this.connection = connection
    this.address = socket.remoteAddress ?? ''
    this.#socket = socket
    this.#check = check
  }

  isSameUser(): boolean | Promise<boolean> {
    this.#isSameUser ??= this.#check(this.#socket).then(
      (isOwn) => {
        this.#isSameUser = isOwn
        return isOwn
      },
      () => {
        // Not told, for want of a file handle perhaps: no, and asked again with the next request.
        this.#isSameUser = undefined
        return false
      },
    )
    return this.#isSameUser
  }
}
