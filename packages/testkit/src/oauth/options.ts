export interface AuthorizationOptions {
  readonly port?: number
  /** Of its issuer. */
  readonly path?: string
  readonly tokenSeconds?: number
  /** Whether clients may register. Default: true. */
  readonly registers?: boolean
  /** The client `by-hand` has a secret: `kept-by-the-person`. */
  readonly confidential?: boolean
  /** How the redirect address of `by-hand` calls this machine. Default: 127.0.0.1. */
  readonly byHandAt?: 'localhost'
  /** It takes documents for clients, and finds this one at its address; the test has no server with https. */
  readonly document?: { readonly url: string; readonly body: Readonly<Record<string, unknown>> }
  /** `person`: says no. */
  readonly refuses?: readonly 'person'[]
}

export interface ProtectedOptions {
  readonly port?: number
  readonly issuer: string
  /** Authorization servers that it names before that one, and after it. */
  readonly namesBefore?: readonly string[]
  readonly namesAfter?: readonly string[]
  readonly transport?: 'http' | 'sse'
  /** full: with the address of its metadata. bare: a Bearer challenge without. none: 401 and nothing else. */
  readonly challenge?: 'full' | 'bare' | 'none'
  /** Where its metadata is (RFC 9728). Default: at the path of its own. */
  readonly metadata?: 'path' | 'root' | 'elsewhere' | 'none'
  /** Which requests want a token. Default: all. */
  readonly guards?: 'all' | 'calls'
  /** Overrides members of its metadata. */
  readonly says?: Readonly<Record<string, unknown>>
}
