/** Servers whose processes run away: into sessions of their own, without a parent, deaf to every signal that can be ignored. */
import { writeFile } from 'node:fs/promises'
import { expectNoProcessLeft, findByMarker, fixtureCommand, isAlive, waitFor } from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { describe, expect, test } from 'vitest'
import { useTargets } from './support/target.ts'

const targets = useTargets()
const RUNAWAY = { grandchild: { detached: true, ignoreSigterm: true } }
const PATIENCE = { timeout: 60_000 }

const createMarker = () => `hostile-detached-${process.pid}-${Math.random().toString(36).slice(2)}`
const pidsOf = async (marker: string) => (await findByMarker(marker)).map(({ pid }) => pid).sort()

// Windows does not tell whose a process without a parent is: docs/pool.md, "Stopping".
describe.skipIf(process.platform === 'win32')('a process that left its server', () => {
  test('is ended when the server crashes, and the next one of the server lives', async () => {
    const marker = createMarker()
    const target = await targets.start({ mcpServers: { a: fixtureCommand({ marker, ...RUNAWAY }) } })
    await target.waitForState('a', 'ready')
    const before = await pidsOf(marker)
    expect(before).toHaveLength(2)
    const server = (await target.status()).servers.find(({ name }) => name === 'a')
    process.kill(server?.pid ?? 0, 'SIGKILL')
    const isReplaced = async () => {
      const now = await pidsOf(marker)
      return now.length === 2 && now.every((pid) => !before.includes(pid))
    }
    await waitFor(isReplaced, { ...PATIENCE, what: 'nothing but the new server and its own' })
    await target.watchFromNow()
    await target.expectCalm()
  })

  test('is ended when the server is taken out of the configuration', async () => {
    const marker = createMarker()
    const target = await targets.start({ mcpServers: { a: fixtureCommand({ marker, ...RUNAWAY }) } })
    await target.waitForState('a', 'ready')
    await writeFile(target.home.file('config.json'), JSON.stringify({ packs: WITHOUT_PACKS }))
    await expectNoProcessLeft(marker, 60_000)
    await target.expectCalm()
  })

  test('is ended when the daemon is killed, and nobody else is', async () => {
    const [marker, other] = [createMarker(), createMarker()]
    const [target, neighbour] = await Promise.all([
      targets.start({ mcpServers: { a: fixtureCommand({ marker, ...RUNAWAY }) } }),
      targets.start({ mcpServers: { a: fixtureCommand({ marker: other, ...RUNAWAY }) } }),
    ])
    await Promise.all([target.waitForState('a', 'ready'), neighbour.waitForState('a', 'ready')])
    const theirs = await pidsOf(other)
    expect([(await pidsOf(marker)).length, theirs.length]).toEqual([2, 2])
    process.kill(target.pid, 'SIGKILL')
    await target.program.ended
    await expectNoProcessLeft(marker, 60_000)
    expect(await pidsOf(other)).toEqual(theirs)
    expect(await isAlive(neighbour.pid)).toBe(true)
  })
})
