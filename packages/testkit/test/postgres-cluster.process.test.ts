import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { findByMarker } from '../src/index.ts'
import { findPostgres, POSTGRES_MISSING, PostgresCluster } from '../src/postgres/index.ts'

const isMissing = findPostgres()?.pgvector === undefined

describe.skipIf(isMissing)(`a PostgreSQL of a test's own${isMissing ? ` (${POSTGRES_MISSING})` : ''}`, () => {
  test('is reached while it runs, starts again after a power cut, and leaves nothing behind', async () => {
    const cluster = await PostgresCluster.start()
    const reach = async (): Promise<void> => {
      const socket = connect(cluster.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
    }
    try {
      await reach()
      await cluster.stop('immediate')
      await expect(reach()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
      await cluster.start()
      expect(cluster.log()).toContain('was not properly shut down')
      await reach()
    } finally {
      await cluster.remove()
    }
    expect(existsSync(cluster.folder)).toBe(false)
    expect(await findByMarker(cluster.folder)).toEqual([])
  })
})
