/**
 * `kill -9` of the whole daemon at random moments, while two windows save what they learn as fast as they are let: what was
 * acknowledged is there, the file is whole, and nobody has to lend a hand. `DAEMON_KILLS=100 npm test -- killed-daemon` kills it so often.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { openSqliteStore, type Space, type StoredItem } from '@switchboard/store'
import { createSeededRandom, findByMarker, programCommand, waitFor } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { expect, test } from 'vitest'
import { readDaemonInfo } from '../src/lock/info-file.ts'
import { pathsOf } from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()
const ROUNDS = Number(process.env.DAEMON_KILLS ?? 5)
const SECONDS_EACH = 30

/** What was acknowledged: what each says, by its id. */
interface Told {
  readonly checkpoints: Map<string, string>
  readonly remediations: Map<string, string>
  /** Calls that failed while no daemon was there: of these nothing is known. */
  failed: number
}

async function openWindow(folder: string): Promise<SdkAgent> {
  const agent = await connectSdkAgent('v1', {
    transport: 'stdio',
    command: programCommand(['mcp', '--workspace', folder], { home: bench.home.path }),
  })
  bench.defer(() => agent.close())
  return agent
}

/** Saves one after the other until it is over. */
async function saveOn(agent: SdkAgent, who: string, told: Told, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number++) {
    const says = `${who}-${number}`
    const isCheckpoint = number % 2 === 0
    const answer = isCheckpoint
      ? agent.call('checkpoint_save', { summary: says, context: { number: String(number) } })
      : agent.call('remediation_save', { errorMessage: `Error${number}${who}: code ${says}`, solution: says })
    const id = idOf(await answer.catch(() => ({})))
    if (id === undefined) told.failed++
    else told[isCheckpoint ? 'checkpoints' : 'remediations'].set(id, says)
  }
}

function idOf(result: JsonObject): string | undefined {
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const data = result.isError === true || !isJsonObject(envelope.data) ? {} : envelope.data
  return typeof data.id === 'string' ? data.id : undefined
}

async function readAll(space: Space): Promise<Map<string, StoredItem>> {
  const items = new Map<string, StoredItem>()
  let last: string | undefined
  for (let page = await space.walk(last, 1_000); page.length > 0; page = await space.walk(last, 1_000)) {
    for (const item of page) items.set(item.id, item)
    last = page.at(-1)?.id
  }
  return items
}

test('nothing that was acknowledged is lost, whenever the daemon is killed', {
  timeout: ROUNDS * SECONDS_EACH * 1_000,
}, async () => {
  await bench.writeConfig({
    packs: { debug: { enabled: false }, memory: { enabled: true } },
    gateway: { port: 0, rates: { '*_save': { perSecond: 1_000, burst: 1_000 } } },
  })
  const folder = bench.home.file('project')
  await mkdir(folder)
  const random = createSeededRandom(12)
  const told: Told = { checkpoints: new Map(), remediations: new Map(), failed: 0 }
  const count = (): number => told.checkpoints.size + told.remediations.size
  let isOver = false
  const windows = [await openWindow(folder), await openWindow(folder)]
  const saving = windows.flatMap((agent, window) =>
    [0, 1].map((hand) => saveOn(agent, `w${window}h${hand}`, told, () => isOver)),
  )
  const epochs = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = count() + 1 + random.below(40)
    await waitFor(() => count() >= wanted, { what: `round ${round} to save something`, timeout: 60_000 })
    // What the last one had told may have been on its way still.
    const { pid, epoch } = await waitFor(async () => {
      const info = await readDaemonInfo(pathsOf(bench).info)
      return info === undefined || epochs.has(info.epoch) ? undefined : info
    })
    // At any moment: not only when something was just told.
    await delay(random.below(30))
    process.kill(pid, 'SIGKILL')
    epochs.add(epoch)
  }
  const after = count() + 5
  await waitFor(() => count() >= after, { what: 'the last daemon to save something', timeout: 60_000 })
  isOver = true
  await Promise.all(saving)
  // Each was another daemon, and each was killed once.
  expect(epochs.size).toBe(ROUNDS)
  await Promise.all(windows.map((agent) => agent.close()))
  const isDown = async (): Promise<boolean> => {
    await bench.program(['down']).ended
    return (await findByMarker(bench.home.path)).length === 0
  }
  await waitFor(isDown, { timeout: 60_000 })

  const store = await openSqliteStore({ file: pathsOf(bench).store })
  bench.defer(() => store.close())
  expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
  const checkpoints = await readAll(await store.space('memory_checkpoints'))
  const remediations = await readAll(await store.space('memory_remediations'))
  const lost = [
    ...[...told.checkpoints].filter(([id, says]) => checkpoints.get(id)?.data.summary !== says),
    ...[...told.remediations].filter(([id, says]) => remediations.get(id)?.data.solution !== says),
  ]
  expect(lost).toEqual([])
  // Found as well, not only there.
  const [id, says] = [...told.checkpoints].at(-1) ?? ['', '']
  const found = await (await store.space('memory_checkpoints')).search({ text: says, scopes: 'all', limit: 3 })
  expect(found.hits.map(({ item }) => item.id)).toContain(id)
  if (process.env.DAEMON_KILLS !== undefined) {
    console.log(`${ROUNDS} kills: ${count()} acknowledged, none lost; ${told.failed} calls failed meanwhile`)
  }
})
