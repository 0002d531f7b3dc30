/** Two homes that share a PostgreSQL, by the real program with its daemons. */
import { readdir, readFile } from 'node:fs/promises'
import { findPostgres, POSTGRES_MISSING, PostgresCluster } from '@switchboard/testkit/postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DaemonHome } from '../daemon-home.ts'

const PASSWORD = 'hunter2-very-secret'
const isMissing = findPostgres()?.pgvector === undefined

describe.skipIf(isMissing)(`a store on PostgreSQL${isMissing ? ` (${POSTGRES_MISSING})` : ''}`, () => {
  let cluster: PostgresCluster
  const daemons: DaemonHome[] = []

  beforeEach(async () => {
    cluster = await PostgresCluster.start()
  })

  afterEach(async () => {
    for (const daemon of daemons.splice(0)) await daemon.dispose()
    await cluster.remove()
  })

  async function open(config: Parameters<typeof DaemonHome.create>[0] = {}): Promise<DaemonHome> {
    const daemon = await DaemonHome.create(config)
    daemons.push(daemon)
    return daemon
  }

  /** Whatever was printed or written by it. */
  async function expectNoPassword(daemon: DaemonHome, ...printed: readonly unknown[]): Promise<void> {
    expect(JSON.stringify(printed)).not.toContain(PASSWORD)
    const logs = daemon.home.file('logs')
    for (const name of await readdir(logs)) {
      if (name.endsWith('.log')) expect(await readFile(`${logs}/${name}`, 'utf8')).not.toContain(PASSWORD)
    }
  }

  test('is shared by two daemons, takes over what an embedded one held, and comes back after the server was away', async () => {
    const embedded = await open()
    await embedded.up()
    await embedded.json(['call', 'checkpoint_save', '{"summary":"the embedded parser is done"}'])
    const file = embedded.home.file('all.jsonl')
    await embedded.json(['export', file])

    const store = cluster.url({ password: PASSWORD })
    const [one, two] = [await open({ daemon: { store } }), await open({ daemon: { store } })]
    await Promise.all([one.up(), two.up()])
    expect(await one.json(['import', file])).toMatchObject({ problems: [] })
    await two.json(['call', 'checkpoint_save', '{"summary":"the zebra crossing is painted"}'])
    const found = await one.json(['memory', 'search', 'zebra', '--all'])
    expect(JSON.stringify(found)).toContain('the zebra crossing is painted')
    expect(JSON.stringify(await two.json(['memory', 'search', 'parser', '--all']))).toContain(
      'the embedded parser is done',
    )
    const status = await one.json(['status'])
    expect(status).toMatchObject({
      store: { engine: 'postgres', state: 'open', place: `"postgres" of PostgreSQL at 127.0.0.1:${cluster.port}` },
    })
    const { backup } = (await one.json(['memory', 'backup'])) as { backup: { file: string } }
    expect(await readFile(backup.file, 'utf8')).toContain('the zebra crossing is painted')

    await cluster.stop('immediate')
    const away = await one.run(['memory', 'search', 'zebra', '--all', '--json'])
    expect(away.code).not.toBe(0)
    expect(`${away.out}${away.err}`).toContain('store_unavailable')
    await cluster.start()
    expect(JSON.stringify(await one.json(['memory', 'search', 'zebra', '--all']))).toContain('zebra')
    await expectNoPassword(one, status, away, await one.run(['doctor']), await one.run(['status']))
  })
})
