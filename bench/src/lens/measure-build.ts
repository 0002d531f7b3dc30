/** The whole index of a folder, made by the daemon: how long, what calls notice of it, and what it is good for afterwards. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DaemonBench, measureBeside } from '../index/daemon-bench.ts'
import { median } from '../statistics.ts'

export interface BuildFigures {
  readonly buildSeconds: number
  /** Of all threads of the daemon, with what the calls meanwhile took. */
  readonly cpuSeconds: number
  readonly rescanSeconds: number
  /** Until a word that was just written is found. */
  readonly editMs: readonly number[]
  /** With nothing else to do, and while all files are read again. */
  readonly searchMs: readonly number[]
  readonly busySearchMs: readonly number[]
  /** Of the text that answers a search for a word that is everywhere. */
  readonly commonBytes: number
  readonly idleHealthMs: number
  readonly healthMs: readonly number[]
  readonly idleP50Ms: number
  readonly busyP50Ms: number
  /** Of the daemon: resident. */
  readonly idleMB: number
  readonly peakMB: number
}

export interface BuildOptions {
  /** What is looked for. */
  readonly names: readonly string[]
  /** A word that is everywhere. */
  readonly common: string
  readonly edits: number
}

/** Of the call that begins it; after that it is only looked at. */
const WAIT_MS = 100_000
const LOOK_MS = 200
const MAX_WAITS = 5_000
const EDIT_TRIES = 100
const MAX_BUSY_SEARCHES = 200

export async function measureBuild(
  bench: DaemonBench,
  folder: string,
  { names, common, edits }: BuildOptions,
): Promise<BuildFigures> {
  const { burst, call, health } = bench
  const rebuild = async (isFresh = false): Promise<number> => {
    const begun = performance.now()
    let { text } = await call('lens_rebuild', { timeoutMs: WAIT_MS, fresh: isFresh }, folder)
    // To ask for it again would have everything looked at again.
    for (let wait = 0; !/"(?:idle":true|completeness":"complete")/.test(text); wait++) {
      if (wait >= MAX_WAITS) throw new Error(`The index of ${folder} is not there: ${text.slice(0, 500)}`)
      await delay(LOOK_MS)
      text = (await call('lens_status', {}, folder)).text
    }
    return (performance.now() - begun) / 1_000
  }
  const search = async (name: string): Promise<number> => {
    const { durationMs, text } = await call('lens_search', { query: name }, folder)
    if (!text.includes(name)) throw new Error(`${name} is in ${folder}, and was not found: ${text.slice(0, 500)}`)
    return durationMs
  }
  const idleHealthMs = median([await health(), await health(), await health()])
  const before = await burst()
  const build = await measureBeside(bench, rebuild)
  const after = await burst()
  const rescanSeconds = await rebuild()
  const searchMs: number[] = []
  for (const name of names) searchMs.push(await search(name))
  const busySearchMs = await searchMeanwhile(names, search, () => rebuild(true))
  const { text: commonText } = await call('lens_search', { query: common }, folder)
  const editMs: number[] = []
  for (let edit = 0; edit < edits; edit++) editMs.push(await measureEdit(call, folder, edit))
  return {
    buildSeconds: build.result,
    cpuSeconds: build.cpuSeconds,
    rescanSeconds,
    editMs,
    searchMs,
    busySearchMs,
    commonBytes: textBytesOf(commonText),
    idleHealthMs,
    healthMs: build.healthMs,
    idleP50Ms: median([before, after]),
    busyP50Ms: build.busyMs,
    idleMB: build.idleMB,
    peakMB: build.peakMB,
  }
}

/** Those that began while the work went on. */
async function searchMeanwhile(
  names: readonly string[],
  search: (name: string) => Promise<number>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const times: number[] = []
  for (let at = 0; !isDone && at < MAX_BUSY_SEARCHES; at++) times.push(await search(names[at % names.length] ?? ''))
  await working
  return times
}

/** Of what an agent reads, within what the command has printed. */
function textBytesOf(printed: string): number {
  const result: unknown = JSON.parse(printed)
  const texts: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'text' && 'text' in value) texts.push(String(value.text))
    for (const member of Object.values(value)) visit(member)
  }
  visit(result)
  return Buffer.byteLength(texts.join('\n'))
}

/** The time that a command takes to start is in it: an agent's own call is quicker. */
async function measureEdit(call: DaemonBench['call'], folder: string, edit: number): Promise<number> {
  const word = `wordthatnobodywrote${edit}`
  const begun = performance.now()
  await writeFile(join(folder, 'edited.txt'), `${word}\n`)
  for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
    const { text } = await call('lens_search', { query: word, in: 'text' }, folder)
    if (/"total":1\b/.test(text)) return performance.now() - begun
  }
  throw new Error(`An edit of ${folder} is not found after ${EDIT_TRIES} searches.`)
}
