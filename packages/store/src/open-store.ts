/** Whichever engine was chosen: a file of this machine, or a server that several share. */
import { describeAddress, parseAddress } from './postgres/address.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export interface StorePlace {
  /** Of the embedded store. */
  readonly file: string
  /** `postgres://…`: the server takes the place of the file. */
  readonly url?: string | undefined
}

export const openStore = ({ file, url }: StorePlace): Promise<Store> =>
  url === undefined ? openSqliteStore({ file }) : openPostgresStore({ url })

/** For people: never with a password. */
export function describePlace({ file, url }: StorePlace): string {
  if (url === undefined) return file
  try {
    return describeAddress(parseAddress(url))
  } catch {
    return 'a PostgreSQL whose connection string is wrong'
  }
}
