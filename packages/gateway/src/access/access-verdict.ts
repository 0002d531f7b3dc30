import type { IncomingHttpHeaders } from 'node:http'
import type { SwitchboardError } from '@switchboard/protocol'

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
      /** 503: the credential could not be checked, which never counts as good. */
      readonly status: 401 | 403 | 503
      readonly error: SwitchboardError
      /** For instance `WWW-Authenticate`. */
      readonly headers?: Readonly<Record<string, string>>
    }

/** `url`: path and query as they came. Header names are lower case. */
export type Authenticate = (headers: IncomingHttpHeaders, url: string) => Promise<AccessVerdict> | AccessVerdict
