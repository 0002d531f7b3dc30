/** Where packs keep what lasts: is it whole, is it its user's alone, is there room, and is there a copy of it? */
import { existsSync } from 'node:fs'
import { chmod, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkStoreAt } from '@switchboard/daemon'
import { connectIpc, type DaemonStatus, findEndpoint } from '@switchboard/daemon/client'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { formatBytes, formatCount, formatDuration } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

/** What is larger takes long to read through, and the engine looks at what it reads anyway. */
const MOST_BYTES = 500_000_000
const CHECK_MS = 120_000
const OTHERS = 0o077
/** A copy that was due so many times. */
const MISSED = 3
/** The oldest whose write-ahead log cannot be damaged by a checkpoint in the wrong moment. */
const SQLITE_FLOOR = '3.51.3'

const RESTORE = 'switchboard down, keep the file, and put the newest copy of data/backups in its place.'

interface Checked {
  readonly problems: readonly string[]
  readonly rebuilt: readonly string[]
  readonly items: number
}

export async function checkStore(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  const status = look.state === 'running' ? look.status : undefined
  const config = await context.configuration()
  const url = config === undefined || config instanceof SwitchboardError ? undefined : config.daemon.store
  const isServer = status?.store === undefined ? url !== undefined : status.store.engine === 'postgres'
  const findings = isServer ? await checkServer(context, status, url) : await checkFile(context, status)
  return [...findings, ...checkEncoder(status)]
}

async function checkFile(context: DoctorContext, status: DaemonStatus | undefined): Promise<Finding[]> {
  const { store: file } = context.paths
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return describeAbsent(file)
  const findings = [...checkEngine(process.versions.sqlite ?? '0'), ...(await checkReaders(context))]
  if (found.size <= MOST_BYTES) findings.push(...(await checkContent(context, status)))
  else findings.push(ok(`${file}: ${formatBytes(found.size)}, too large to be read through here`))
  return [...findings, ...(await checkBackups(context, found.size))]
}

function describeAbsent(file: string): Finding[] {
  const left = [`${file}-wal`, `${file}-shm`].filter((path) => existsSync(path))
  if (left.length === 0) return [ok('nothing is kept yet')]
  const cure = `Put the store back beside it, or a copy of data/backups; without one, delete it.`
  return [error(`${left[0]} is there without its store, which may hold what was written last`, cure)]
}

function checkEngine(version: string): Finding[] {
  const order = (text: string): number => text.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0)
  if (order(version) >= order(SQLITE_FLOOR)) return []
  const cure = 'Use a newer Node, such as 24.21, or the Switchboard that brings its own.'
  return [error(`this Node has SQLite ${version}, which may lose data: ${SQLITE_FLOOR} or later is needed`, cure)]
}

async function checkReaders({ paths, machine }: DoctorContext): Promise<Finding[]> {
  if (machine.platform === 'win32') return []
  const folder = dirname(paths.store)
  const files = await listFiles(folder)
  const open: string[] = []
  for (const path of files) if (((await stat(path).catch(() => undefined))?.mode ?? 0) & OTHERS) open.push(path)
  const [first] = open
  if (first === undefined) return []
  const told = `others may read ${formatCount(open.length, 'file')} of the store, such as ${first}`
  return [
    error(told, `chmod -R go= ${folder}`, async () => {
      for (const path of open) await chmod(path, 0o600)
      return `${formatCount(open.length, 'file')} of the store are for you alone now (mode 600)`
    }),
  ]
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function checkContent(context: DoctorContext, status: DaemonStatus | undefined): Promise<Finding[]> {
  const { store: file } = context.paths
  try {
    const { problems, rebuilt, items } = await (status === undefined ? checkStoreAt({ file }) : askDaemon(context))
    const wrong = problems.slice(0, 5).map((problem) => error(`${file} is damaged: ${problem}`, RESTORE))
    const cured = rebuilt.map((space) => ok(`the search index of ${space} was damaged, and is made anew`))
    return wrong.length > 0 ? wrong : [...cured, ok(`${file} is whole: ${formatCount(items, 'item')}`)]
  } catch (thrown) {
    const { code, message, hint } = thrown instanceof SwitchboardError ? thrown : toSwitchboardError(thrown)
    return [error(message, code === 'store_newer' || code === 'store_full' ? hint : RESTORE)]
  }
}

async function askDaemon({ paths, cwd }: DoctorContext): Promise<Checked> {
  const client = await connectIpc(findEndpoint(paths))
  try {
    const asked = { of: 'store', command: 'check', params: {}, workspace: cwd }
    return await client.request<Checked>('run_command', asked, { timeout: CHECK_MS })
  } finally {
    client.close()
  }
}

async function checkBackups(context: DoctorContext, bytes: number): Promise<Finding[]> {
  const { paths, now } = context
  const folder = join(dirname(paths.store), 'backups')
  const names = await readdir(folder).catch(() => [])
  const findings = await checkDrafts(context, folder, names)
  const config = await context.configuration()
  const every = config === undefined || config instanceof SwitchboardError ? undefined : config.daemon.backup
  const copies = names.filter((name) => name.endsWith('.db')).map((name) => join(folder, name))
  const times = await Promise.all(
    copies.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const newest = Math.max(...times)
  const written = (await stat(paths.store)).mtimeMs
  if (copies.length === 0) findings.push(ok('there is no copy of it yet: switchboard memory backup makes one'))
  else if (every !== undefined && now - newest > MISSED * every && written > newest) {
    findings.push(warn(`its last copy is ${formatDuration(now - newest)} old`, 'switchboard memory backup'))
  } else findings.push(ok(`its last copy is ${formatDuration(Math.max(0, now - newest))} old`))
  const free = await statfs(folder).catch(() => statfs(dirname(paths.store)))
  if (free.bavail * free.bsize < bytes * 2) {
    const told = `there is room for ${formatBytes(free.bavail * free.bsize)}, and a copy of the store takes ${formatBytes(bytes)}`
    findings.push(warn(told, 'Free some space on its disk: what is stored next may not fit.'))
  }
  return findings
}

/** Copies that were never finished; a daemon may be at one just now. */
async function checkDrafts(context: DoctorContext, folder: string, names: readonly string[]): Promise<Finding[]> {
  const drafts = names.filter((name) => name.endsWith('.part')).map((name) => join(folder, name))
  if (drafts.length === 0 || (await context.daemon()).state !== 'none') return []
  return [
    warn(
      `${formatCount(drafts.length, 'copy', 'copies')} of the store were never finished`,
      `Delete ${drafts[0]}.`,
      async () => {
        for (const path of drafts) await rm(path, { force: true })
        return `deleted ${formatCount(drafts.length, 'unfinished copy', 'unfinished copies')} of the store`
      },
    ),
  ]
}

async function checkServer(
  context: DoctorContext,
  status: DaemonStatus | undefined,
  url: string | undefined,
): Promise<Finding[]> {
  try {
    const file = context.paths.store
    const { problems, items } = await (status === undefined ? checkStoreAt({ file, url }) : askDaemon(context))
    const place = status?.store?.place ?? 'the PostgreSQL of daemon.store'
    const told = problems.map((problem) => error(`${place}: ${problem}`, 'switchboard logs --source daemon says more.'))
    return told.length > 0 ? told : [ok(`${place} answers: ${formatCount(items, 'item')}`)]
  } catch (thrown) {
    const { message, hint } = thrown instanceof SwitchboardError ? thrown : toSwitchboardError(thrown)
    return [error(message, hint || 'Start it, or correct daemon.store in the configuration.')]
  }
}

function checkEncoder(status: DaemonStatus | undefined): Finding[] {
  const encoder = status?.packs?.find(({ name }) => name === 'pack:memory')?.encoder
  if (!isJsonObject(encoder)) return []
  const { place, problem, model } = encoder
  if (typeof problem !== 'string') return [ok(`the encoder ${String(model ?? '')} at ${String(place)} answers`)]
  const cure = 'Start it, or correct packs.memory.encoder. Until then search goes by words alone, and nothing is lost.'
  return [warn(`the encoder at ${String(place)} does not work: ${problem}`, cure)]
}
