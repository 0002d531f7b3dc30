/** Where logins are kept: whoever makes a pool gives it one. Without one, no server can be logged in to. */
export interface LoginKeeper {
  get(name: string): Promise<string | undefined>
  /** On the disk when it resolves: a token that was exchanged for a new one is worth nothing. */
  set(name: string, login: string): Promise<void>
  delete(name: string): Promise<boolean>
  /** One at a time, of all processes that keep logins at the same place. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** A visit that was begun for a person who has to log in. */
export interface LoginVisit {
  readonly url: string
  /** Whose page it is, for the person. */
  readonly issuer: string
  /** Rejects with `login_failed`. */
  readonly done: Promise<void>
  /** Nobody waits for it any more. */
  leave(): void
}

/** Begins one, or joins the one that is under way. */
export type BeginLogin = (server: string, signal: AbortSignal) => Promise<LoginVisit>
