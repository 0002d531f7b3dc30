/**
 * The benchmark `lens`: a playset of 92,000 files that a program wrote, the real mod beside the project, and the project itself.
 * Reading is measured in bare threads; the index on the bundled command with its daemon, while a client calls through the gateway.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorMessage } from '@switchboard/base'
import { extractFile, isScriptFile } from '@switchboard/paradox'
import { CodeExtractor } from '@switchboard/source/extract'
import { buildPrograms } from '../build-programs.ts'
import { type DaemonBench, openDaemonBench } from '../index/daemon-bench.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { measureBuild } from './measure-build.ts'
import { measureReading, type Reading } from './measure-reading.ts'
import { measureCtags, measureJomini, measureRipgrep } from './peers.ts'
import { writePlayset } from './playset.ts'
import type { LensReport, LensSet } from './report.ts'
import { judgeTargets, WRITTEN } from './targets.ts'

export interface LensOptions {
  readonly quick: boolean
  readonly seed: number
  /** Files of the playset. Default: 92,000. */
  readonly rows: number | undefined
  /** The folder with the real mod's archive. Default: beside the project. */
  readonly data: string | undefined
  say(line: string): void
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DATA = join(ROOT, '..', 'shared', 'data', 'ck3')
const FILES = 92_000
const QUICK_FILES = 200
const SEARCHES = 30
const EDITS = 5

interface Given {
  readonly name: string
  readonly folder: string
  /** What is in it, to look for. */
  readonly names: readonly string[]
  /** A word that is everywhere in it. */
  readonly common: string
}

export async function runLens(options: LensOptions): Promise<LensReport> {
  const { quick, seed, say } = options
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const missing: string[] = []
  await using stack = new AsyncDisposableStack()
  const programs = stack.use(await buildPrograms())
  const folder = await programs.createFolder()
  await mkdir(folder, { recursive: true })
  const given = await prepare(options, folder, missing)
  const bench = await openDaemonBench(programs, stack)
  const sets: LensSet[] = []
  for (const set of given) {
    say(set.name)
    sets.push(await measureSet(set, bench, { quick, say, missing }))
  }
  return { machine, loadBefore, loadAfter: describeLoad(), quick, seed, sets, missing, targets: judgeTargets(sets) }
}

async function prepare(
  { quick, seed, rows, data, say }: LensOptions,
  folder: string,
  missing: string[],
): Promise<Given[]> {
  const count = rows ?? (quick ? QUICK_FILES : FILES)
  say(`writing a playset of ${count} files`)
  const playset = join(folder, 'playset')
  const { names } = await writePlayset(playset, count, seed)
  const given: Given[] = [{ name: WRITTEN, folder: playset, names, common: 'castle' }]
  const archive = join(data ?? DATA, 'rice.tar.gz')
  if (existsSync(archive)) {
    const mod = join(folder, 'mod')
    await mkdir(mod)
    await promisify(execFile)('tar', ['-xzf', archive, '-C', mod])
    given.push({ name: 'real mod', folder: mod, names: await namesOf(mod, quick), common: 'culture' })
  } else missing.push(`real mod: there is no ${archive}`)
  const project = join(folder, 'project')
  await mkdir(project)
  // As it was committed last: what lies about besides is nobody's.
  const paths = quick ? ['packages/source'] : []
  await promisify(execFile)('git', ['-C', ROOT, 'archive', '--output', join(folder, 'project.tar'), 'HEAD', ...paths])
  await promisify(execFile)('tar', ['-xf', join(folder, 'project.tar'), '-C', project])
  given.push({ name: 'this project', folder: project, names: await namesOf(project, quick), common: 'import' })
  return given
}

async function measureSet(
  { name, folder, names, common }: Given,
  bench: DaemonBench,
  { quick, say, missing }: { quick: boolean; say(line: string): void; missing: string[] },
): Promise<LensSet> {
  const all = listFiles(folder)
  const script = all.filter((file) => isScriptFile(file))
  const code = all.filter((file) => CodeExtractor.profileOf(file) !== undefined)
  const readings: Reading[] = []
  for (const threads of [1, 2]) readings.push(await measureReading(all, 'read', threads))
  if (script.length > 0) for (const threads of [1, 2]) readings.push(await measureReading(script, 'parse', threads))
  for (const threads of [1, 2]) readings.push(await measureReading(all, 'extract', threads))
  const attempt = async (what: string, measure: () => Promise<Reading | undefined>): Promise<void> => {
    try {
      const reading = await measure()
      if (reading === undefined) missing.push(`${name}: ${what} is not on this machine`)
      else readings.push(reading)
    } catch (error) {
      missing.push(`${name}: ${what}: ${errorMessage(error)}`)
    }
  }
  if (script.length > 0 && !quick) await attempt('jomini', () => measureJomini(script, say))
  const megabytes = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  if (code.length > 0) await attempt('ctags', () => measureCtags(code, megabytes(code)))
  const looked = names.slice(0, quick ? 3 : SEARCHES)
  const build = await measureBuild(bench, folder, { names: looked, common, edits: quick ? 1 : EDITS })
  const ripgrepMs = await measureRipgrep(folder, looked)
  return { name, files: all.length, megabytes: megabytes(all), readings, build, ripgrepMs }
}

/** Names that are defined in it, some of every part. */
async function namesOf(folder: string, quick: boolean): Promise<string[]> {
  const files = listFiles(folder).filter((file) => isScriptFile(file) || CodeExtractor.profileOf(file) !== undefined)
  const wanted = quick ? 3 : SEARCHES
  const step = Math.max(1, Math.floor(files.length / wanted))
  const names: string[] = []
  const extractor = new CodeExtractor()
  for (let at = 0; at < files.length && names.length < wanted; at += step) {
    const file = files[at] ?? ''
    const content = await readFile(file)
    const extraction = extractFile(content, file) ?? (await extractor.extract(file, content))
    const name = extraction?.symbols.find((symbol) => /^[A-Za-z_]\w{4,40}$/.test(symbol.name))?.name
    if (name !== undefined) names.push(name)
  }
  return names
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
