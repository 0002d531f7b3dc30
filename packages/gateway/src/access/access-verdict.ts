import type { IncomingHttpHeaders } from 'node:http'
import type { SwitchboardError } from '@switchboard/protocol/errors'

/** Who may come in without a credential: nobody; the user that we run as, where that can be proven; everybody. */
export type AccessPolicy = 'token' | 'user' | 'none'

/** Whether a request may come in, and as whom. */
export type AccessVerdict =
  | {
      readonly ok: true
      /** The id of the credential that was shown, never its secret. */
      readonly credential?: string
      /** The view that the credential is bound to. A path that names another one is refused. */
      readonly profile?: string
    }
  | {
      readonly ok: false
      /** 429: too many wrong ones came. 503: the credential could not be checked, which never counts as good. */
      readonly status: 401 | 403 | 429 | 503
      readonly error: SwitchboardError
      /** For instance `WWW-Authenticate`. */
      readonly headers?: Readonly<Record<string, string>>
    }

/** The other end of a connection. */
export interface Peer {
  readonly address: string
  /** It is a socket of the user that we run as. Found out once; afterwards it is known without waiting. */
  isSameUser(): boolean | Promise<boolean>
}

/** `url`: path and query as they came. Header names are lower case. */
export type Authenticate = (
  headers: IncomingHttpHeaders,
  url: string,
  peer: Peer,
) => Promise<AccessVerdict> | AccessVerdict
