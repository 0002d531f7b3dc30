/**
 * The tables of a space, and how older ones become today's. A version is never changed once it was released: what comes later is
 * another entry. Daemons of two machines may come at once: the first makes the tables, the other waits for it.
 *
 * The index of words is tables of our own: the server's text search knows no document frequencies, and cuts words up in its own
 * way. `postings` holds what BM25 needs of every word of every item, so that a search reads nothing else. A `shelf` is a scope and
 * a kind, so that who may see it is one number in the same index.
 */
import { ThreadFailure } from '../../thread/failure.ts'
import { isMissingTable, isPermissionDenied } from './failure.ts'
import type { ServerConnection } from './server-connection.ts'

/** Every `$` is the name of the space. */
const VERSIONS: readonly string[] = [
  `CREATE TABLE $_shelves (
     number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     scope text COLLATE "C" NOT NULL,
     kind text COLLATE "C" NOT NULL,
     UNIQUE (scope, kind)
   );
   CREATE TABLE $_items (
     number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text COLLATE "C" NOT NULL UNIQUE,
     shelf integer NOT NULL,
     text text COLLATE "C" NOT NULL,
     tags jsonb NOT NULL,
     data text COLLATE "C" NOT NULL,
     terms text COLLATE "C" NOT NULL,
     length integer NOT NULL,
     created_at bigint NOT NULL,
     updated_at bigint NOT NULL,
     revision integer NOT NULL
   );
   CREATE INDEX $_created ON $_items (shelf, created_at, number);
   CREATE INDEX $_updated ON $_items (shelf, updated_at, number);
   CREATE TABLE $_terms (
     number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     term text COLLATE "C" NOT NULL UNIQUE,
     items integer NOT NULL
   ) WITH (fillfactor = 70);
   CREATE TABLE $_postings (
     term integer NOT NULL,
     shelf integer NOT NULL,
     item integer NOT NULL,
     count integer NOT NULL,
     length integer NOT NULL,
     PRIMARY KEY (term, shelf, item) INCLUDE (count, length)
   );`,
]

/** Made with the first vector: the type is not there before pgvector is. `@` is where it lies. */
const VECTOR_VERSIONS: readonly string[] = [
  `CREATE TABLE $_models (
     number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name text COLLATE "C" NOT NULL UNIQUE,
     dimension integer NOT NULL
   );
   CREATE TABLE $_vectors (
     model integer NOT NULL,
     item integer NOT NULL,
     direction @.vector NOT NULL,
     PRIMARY KEY (model, item)
   );
   CREATE INDEX $_vectors_of ON $_vectors (item);`,
]

const COMMON: readonly string[] = [
  // Counted along: to count for every search would read whole tables.
  `CREATE TABLE IF NOT EXISTS spaces (
     name text COLLATE "C" PRIMARY KEY,
     version integer NOT NULL,
     vectors integer NOT NULL DEFAULT 0,
     items bigint NOT NULL DEFAULT 0,
     terms bigint NOT NULL DEFAULT 0
   ) WITH (fillfactor = 50)`,
  // What was written lately, so that who lost the connection in the middle can ask.
  'CREATE TABLE IF NOT EXISTS writes (token uuid PRIMARY KEY, results text NOT NULL, at timestamptz NOT NULL DEFAULT now())',
]

const SCHEMA_VERSION = VERSIONS.length

/** Any number that no other program takes in the same database. */
const LOCK = 'SELECT pg_advisory_xact_lock(836170421)'
const VERSION = 'SELECT version FROM spaces WHERE name = $1'
const UPSERT =
  'INSERT INTO spaces (name, version) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version'

export async function migrate(connection: ServerConnection, space: string): Promise<void> {
  if ((await versionOf(connection, space)) === SCHEMA_VERSION) return
  await connection.query('BEGIN')
  await connection.query(LOCK)
  const [found] = await connection.query("SELECT to_regnamespace('switchboard') IS NOT NULL AS there")
  if (found?.there !== true) await connection.query('CREATE SCHEMA switchboard')
  for (const sql of COMMON) await connection.query(sql)
  const [row] = await connection.query(VERSION, [space])
  const version = Number(row?.version ?? 0)
  throwOnNewer(space, version)
  for (const sql of VERSIONS.slice(version)) await connection.query(sql.replaceAll('$', space))
  if (version < SCHEMA_VERSION) await connection.query(UPSERT, [space, SCHEMA_VERSION])
  await connection.query("DELETE FROM writes WHERE at < now() - interval '1 day'")
  await connection.query('COMMIT')
}

/** Another daemon may have become a newer one meanwhile. */
export function throwOnNewer(space: string, version: number): void {
  if (version <= SCHEMA_VERSION) return
  throw new ThreadFailure(
    'newer',
    `its "${space}" is of version ${version}, and this Switchboard knows ${SCHEMA_VERSION}`,
  )
}

/** Inside of the transaction that holds the row of the space. */
export async function makeVectorTables(connection: ServerConnection, space: string, version: number): Promise<void> {
  if (version >= VECTOR_VERSIONS.length) return
  const place = await findOrAddExtension(connection)
  const sql = VECTOR_VERSIONS.slice(version).join('\n').replaceAll('$', space).replaceAll('@', place)
  await connection.query(sql)
  await connection.query('UPDATE spaces SET vectors = $2 WHERE name = $1', [space, VECTOR_VERSIONS.length])
}

/** The schema that pgvector lies in, as it is written; undefined: it is not there. */
export async function findExtension(connection: ServerConnection): Promise<string | undefined> {
  const sql = `SELECT quote_ident(nspname) AS place FROM pg_extension
    JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'`
  const [row] = await connection.query(sql)
  return row === undefined ? undefined : String(row.place)
}

async function findOrAddExtension(connection: ServerConnection): Promise<string> {
  const known = await findExtension(connection)
  if (known !== undefined) return known
  const [offered] = await connection.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
  if (offered === undefined) throw new ThreadFailure('no_vectors', 'its server has no pgvector')
  await connection.query('SAVEPOINT extension')
  try {
    await connection.query('CREATE EXTENSION vector SCHEMA public')
  } catch (error) {
    if (isPermissionDenied(error)) {
      await connection.query('ROLLBACK TO extension')
      throw new ThreadFailure('no_vectors', 'its user may not add pgvector to the database', {
        hint: 'Run CREATE EXTENSION vector in that database as its administrator; text is stored and found without it.',
      })
    }
    throw error
  }
  return 'public'
}

async function versionOf(connection: ServerConnection, space: string): Promise<number> {
  try {
    const [row] = await connection.query(VERSION, [space])
    return Number(row?.version ?? 0)
  } catch (error) {
    if (isMissingTable(error)) return 0
    throw error
  }
}

/** Each with how many items it holds. */
export async function spacesOf(connection: ServerConnection): Promise<Map<string, number>> {
  try {
    const rows = await connection.query('SELECT name, items FROM spaces ORDER BY name')
    return new Map(rows.map((row) => [String(row.name), Number(row.items)]))
  } catch (error) {
    if (isMissingTable(error)) return new Map()
    throw error
  }
}
