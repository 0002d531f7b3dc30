/** A PostgreSQL that cannot be used, or not for everything: what is told, and that no password is in it. */
import { execFileSync } from 'node:child_process'
import { appendFile, chmod, chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { catchRejection, findFreePort } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../src/index.ts'
import { item } from '../contract.ts'
import { isPostgresMissing, usePostgres, whyMissing } from './support.ts'

const SECRET = 'hunter2-very-secret'
const QUICK = { connect: 1_000, statement: 5_000, patience: 300 }

/** Everything of it that anybody is ever told. */
async function refusalOf(url: string): Promise<Record<string, unknown>> {
  const error = await catchRejection(openPostgresStore({ url, limits: QUICK }))
  const told = { ...error.toReport(), stack: error.stack, cause: String(error.cause) }
  expect(JSON.stringify(told)).not.toContain(SECRET)
  expect(JSON.stringify(told)).not.toContain(encodeURIComponent(`${SECRET} ?`))
  return told
}

describe.skipIf(isPostgresMissing)(`a PostgreSQL${whyMissing}`, () => {
  const bench = usePostgres()

  test('that nobody started is told with its host and database', async () => {
    const port = await findFreePort()
    expect(await refusalOf(bench.cluster.url({ port, password: SECRET }))).toMatchObject({
      code: 'store_unavailable',
      retryable: true,
      message: expect.stringContaining(`"postgres" of PostgreSQL at 127.0.0.1:${port}`),
      hint: expect.stringContaining(`127.0.0.1:${port}`),
    })
  })

  test('that wants another password says so', async () => {
    const database = await bench.database()
    await bench.run("CREATE ROLE with_password LOGIN PASSWORD 'the right one'")
    const wrong = bench.cluster.url({ database, user: 'with_password', password: SECRET })
    for (const url of [wrong, bench.cluster.url({ database, user: 'with_password' })]) {
      expect(await refusalOf(url)).toMatchObject({
        code: 'store_unavailable',
        hint: 'Correct the user and the password in the connection string.',
      })
    }
    await bench.run(`GRANT CREATE ON DATABASE ${database} TO with_password`)
    const right = bench.cluster.url({ database, user: 'with_password', password: encodeURIComponent('the right one') })
    const store = await bench.open({ url: right })
    await (await store.space('notes')).put([item('a')])
    expect(await store.status()).toMatchObject({ engine: 'postgres', items: { notes: 1 } })
  })

  test('without that database says how to make it', async () => {
    expect(await refusalOf(bench.cluster.url({ database: 'absent', password: SECRET }))).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('absent'),
      hint: expect.stringContaining('createdb'),
    })
  })

  test('whose user may make nothing says what to allow', async () => {
    const database = await bench.database()
    await bench.run('CREATE ROLE reader LOGIN')
    const store = await bench.open({ url: bench.cluster.url({ database, user: 'reader' }) })
    expect(await catchRejection(store.space('notes'))).toMatchObject({
      code: 'store_unavailable',
      hint: expect.stringContaining('GRANT CREATE ON DATABASE'),
    })
  })

  test.each([
    ['mysql://user@host/database', 'does not read as the address'],
    ['postgres://', 'names no host'],
    ['postgres://user@host', 'names no database'],
    ['postgres://host/database', 'names no user'],
    [`postgres://user:${SECRET}@host/database?sslmode=maybe`, 'is no sslmode'],
    [`postgres://user:${SECRET}@host/database?pool=9`, 'knows no "pool"'],
    [`postgres://user:%E0%A4%A@host/database`, 'does not read as the address'],
    [`postgres://user:${SECRET}@ho st/database`, 'does not read as the address'],
  ])('is not looked for by a wrong connection string (%#)', async (url, why) => {
    expect(await refusalOf(url)).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining(why) })
  })

  test('that a newer Switchboard has written is left as it is', async () => {
    const store = await bench.open()
    const space = await store.space('notes')
    await space.put([item('a')])
    await bench.run('UPDATE switchboard.spaces SET version = 99')
    expect(await catchRejection(space.put([item('b')]))).toMatchObject({ code: 'store_newer' })
    const other = await bench.open()
    expect(await catchRejection(other.space('notes'))).toMatchObject({ code: 'store_newer' })
    await bench.run('UPDATE switchboard.spaces SET version = 1')
    expect((await space.list({ scopes: ['here'], limit: 9 })).total).toBe(1)
  })

  test('whose index of words does not hold what is stored gets it made anew', async () => {
    const store = await bench.open()
    const space = await store.space('notes')
    await space.put([item('a', { text: 'a needle' }), item('b', { text: 'some hay' })])
    await bench.run('DELETE FROM switchboard.notes_postings')
    const search = async () => (await space.search({ text: 'needle', scopes: ['here'], limit: 5 })).hits
    expect(await search()).toEqual([])
    expect(await store.check()).toEqual({ problems: [], rebuilt: ['notes'] })
    expect(await search()).toHaveLength(1)
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
  })
})

describe.skipIf(isPostgresMissing)(`a PostgreSQL without pgvector${whyMissing}`, () => {
  const bench = usePostgres({ hasVectors: false })
  const vector = { model: 'm', values: new Float32Array([1, 2]) }

  test('stores and finds text, and says what vectors need', async () => {
    const space = await (await bench.open()).space('notes')
    await space.put([item('a', { text: 'apples' })])
    const refused = space.putVectors('m', [{ id: 'a', revision: 1, values: vector.values }])
    expect(await catchRejection(refused)).toMatchObject({
      code: 'store_no_vectors',
      hint: expect.stringContaining('CREATE EXTENSION vector'),
    })
    const { hits } = await space.search({ text: 'apple', scopes: ['here'], limit: 5, vector })
    expect(hits).toMatchObject([{ item: { id: 'a' }, matched: 'text' }])
    expect(await space.listWithoutVector('m', 5)).toHaveLength(1)
    expect(await space.vectorsOf(['a'])).toEqual([])
    await space.keepVectorsOf([])
    await space.put([item('a', { text: 'pears' })])
    expect(await space.remove(['a'])).toBe(1)
  })
})

describe.skipIf(isPostgresMissing)(`a PostgreSQL whose administrator has not added pgvector${whyMissing}`, () => {
  const bench = usePostgres()

  test('takes vectors from the moment in which that is done', async () => {
    const database = await bench.database()
    await bench.run(`CREATE ROLE writer LOGIN; GRANT CREATE ON DATABASE ${database} TO writer`)
    const store = await bench.open({ url: bench.cluster.url({ database, user: 'writer' }) })
    const space = await store.space('notes')
    await space.put([item('a', { text: 'apples' })])
    const put = () => space.putVectors('m', [{ id: 'a', revision: 1, values: new Float32Array([1, 2]) }])
    expect(await catchRejection(put())).toMatchObject({
      code: 'store_no_vectors',
      hint: expect.stringContaining('as its administrator'),
    })
    await bench.run(
      'CREATE SCHEMA "Odd Place"; CREATE EXTENSION vector SCHEMA "Odd Place"; GRANT USAGE ON SCHEMA "Odd Place" TO writer',
    )
    expect(await put()).toBe(1)
    const vector = { model: 'm', values: new Float32Array([2, 4]) }
    const { hits } = await space.search({ text: 'nothing', scopes: ['here'], limit: 5, vector })
    expect(hits).toMatchObject([{ matched: 'meaning', similarity: expect.closeTo(1, 5) }])
  })
})

describe.skipIf(isPostgresMissing)(`a PostgreSQL with TLS${whyMissing}`, () => {
  const bench = usePostgres()

  test('is talked to under TLS where it can, and its certificate is looked at where that is asked for', async () => {
    const data = join(bench.cluster.folder, 'data')
    const [key, certificate] = [join(data, 'server.key'), join(data, 'server.crt')]
    const made = [
      '-new',
      '-x509',
      '-days',
      '2',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-out',
      certificate,
      '-keyout',
      key,
    ]
    execFileSync('openssl', ['req', ...made], { stdio: 'ignore' })
    const { uid, gid } = await stat(data)
    for (const file of [key, certificate]) await chown(file, uid, gid)
    await chmod(key, 0o600)
    await appendFile(join(data, 'postgresql.conf'), '\nssl = on\n')
    await bench.cluster.stop()
    await bench.cluster.start()
    const url = bench.cluster.url({ database: await bench.database() })
    const isEncrypted = async (mode: string): Promise<unknown> => {
      const store = await bench.open({ url: `${url}?sslmode=${mode}` })
      const sql = `SELECT bool_and(ssl) AS encrypted FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'switchboard' AND datname = '${await bench.database()}'`
      const [row] = await bench.run(sql)
      await store.close()
      return row?.encrypted
    }
    expect(await isEncrypted('disable')).toBe(false)
    for (const mode of ['prefer', 'require']) expect(await isEncrypted(mode)).toBe(true)
    for (const mode of ['verify-ca', 'verify-full']) {
      expect(await refusalOf(`${url}?sslmode=${mode}`)).toMatchObject({
        code: 'store_unavailable',
        hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      })
    }
  })
})
