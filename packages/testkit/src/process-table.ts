/**
 * What runs on this machine, read from the system and not from what we believe. Linux: /proc. Others with `ps`: its
 * table. Windows: CIM through PowerShell. A zombie is dead: its parent just has not looked yet.
 *
 * /proc is read at once: waiting for each of its files takes seven times the processor time of reading it, and every test
 * looks several times.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)

export interface ProcessInfo {
  readonly pid: number
  readonly ppid: number
  /** 0 where the system has no process groups. */
  readonly pgid: number
  /** One letter as `ps` shows it; Z is a zombie. */
  readonly state: string
  readonly command: string
}

export async function listProcesses(): Promise<ProcessInfo[]> {
  if (process.platform === 'linux') return listFromProc()
  return process.platform === 'win32' ? listFromWindows() : listFromPs()
}

/** Living children, grandchildren and so on; without `pid` itself. */
export async function descendantsOf(pid: number, table?: readonly ProcessInfo[]): Promise<ProcessInfo[]> {
  const processes = (table ?? (await listProcesses())).filter(isRunning)
  const found: ProcessInfo[] = []
  const parents = [pid]
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const candidate of processes) {
      if (candidate.ppid !== parent || candidate.pid === pid) continue
      found.push(candidate)
      parents.push(candidate.pid)
    }
  }
  return found
}

export async function isAlive(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const found = readProc(pid)
    return found !== undefined && isRunning(found)
  }
  return (await listProcesses()).some((candidate) => candidate.pid === pid && isRunning(candidate))
}

/** Living processes, this one excepted, whose command line contains the marker. */
export async function findByMarker(marker: string): Promise<ProcessInfo[]> {
  const processes = await listProcesses()
  return processes.filter((found) => found.pid !== process.pid && isRunning(found) && found.command.includes(marker))
}

/** Waits up to `timeout` ms (default 15 s) for the last marked process to end, and fails with the command lines of the rest. */
export async function expectNoProcessLeft(marker: string, timeout = 15_000): Promise<void> {
  await expectNone(() => findByMarker(marker), `marked ${marker}`, timeout)
}

export interface LeakCheck {
  /** Notes what is already there, so that only what the test starts counts. For `beforeEach`. */
  begin(): Promise<void>
  /** Fails when something that the test started outlives it by more than the timeout. For `afterEach`. */
  check(): Promise<void>
}

export interface LeakCheckOptions {
  /** Marks whose processes count as well, wherever they hang in the tree. */
  markers?: readonly string[]
  /** Milliseconds to wait for the end of what is left. Default: 15 000. */
  timeout?: number
}

export function createLeakCheck({ markers = [], timeout = 15_000 }: LeakCheckOptions = {}): LeakCheck {
  let before = new Set<number>()
  return {
    async begin() {
      before = new Set((await descendantsOf(process.pid)).map((found) => found.pid))
    },
    async check() {
      const findLeft = async () => {
        const ours = KNOWS_CHILDREN ? descendantsFromProc(process.pid) : await descendantsOf(process.pid)
        const table = markers.length === 0 ? [] : await listProcesses()
        const marked = table.filter((found) => markers.some((marker) => found.command.includes(marker)))
        const candidates = new Map([...ours, ...marked].map((found) => [found.pid, found]))
        return [...candidates.values()].filter(
          (found) => isRunning(found) && found.pid !== process.pid && !before.has(found.pid) && !isOwnTool(found),
        )
      }
      await expectNone(findLeft, 'started by this test', timeout)
    },
  }
}

async function expectNone(find: () => Promise<ProcessInfo[]>, whose: string, timeout: number): Promise<void> {
  let left: ProcessInfo[] = []
  const none = async () => {
    left = await find()
    return left.length === 0
  }
  await waitFor(none, { timeout, interval: 25 }).catch(() => {
    const lines = left.map((found) => `  ${found.pid} (parent ${found.ppid}) ${found.command}`)
    throw new Error(`${left.length} process(es) ${whose} still alive after ${timeout} ms:\n${lines.join('\n')}`)
  })
}

function isRunning(found: ProcessInfo): boolean {
  return !found.state.startsWith('Z') && !found.state.startsWith('X')
}

/** The tool that lists the processes is itself a child of ours while it runs. */
function isOwnTool(found: ProcessInfo): boolean {
  return found.command.includes(PS_COLUMNS) || found.command.includes('Win32_Process')
}

function listFromProc(): ProcessInfo[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readProc(Number(pid))).filter((entry) => entry !== undefined)
}

/**
 * A fortieth of the time of the whole table, for whoever looks again and again. Not every kernel is built with it, and it may
 * miss one child while another one ends: what was there before a test is read from the table.
 */
const KNOWS_CHILDREN = existsSync(`/proc/self/task/${process.pid}/children`)

function descendantsFromProc(root: number): ProcessInfo[] {
  const found: ProcessInfo[] = []
  const parents = [root]
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const pid of readChildren(parent)) {
      const child = readProc(pid)
      // One whose parent has ended since belongs to somebody else by now.
      if (child === undefined || child.ppid !== parent || !isRunning(child)) continue
      found.push(child)
      parents.push(pid)
    }
  }
  return found
}

/** Every thread has children of its own; empty when the process is gone. */
function readChildren(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) =>
      [...readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').matchAll(/\d+/g)].map(Number),
    )
  } catch {
    return []
  }
}

/** Undefined when the process is gone, also when it goes between the two reads. */
function readProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    // The name in parentheses may itself hold spaces and parentheses: the fields begin after the last one.
    const nameEnd = stat.lastIndexOf(')')
    const [state = '?', ppid, pgid] = stat.slice(nameEnd + 2).split(' ')
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd)
    const command = commandLine.split('\0').join(' ').trim() || `[${name}]`
    return { pid, ppid: Number(ppid), pgid: Number(pgid), state, command }
  } catch {
    return undefined
  }
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,command='

async function listFromPs(): Promise<ProcessInfo[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', PS_COLUMNS], { maxBuffer: 64 * 1024 * 1024 })
  return parsePsOutput(stdout)
}

export function parsePsOutput(text: string): ProcessInfo[] {
  const found: ProcessInfo[] = []
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (match === null) continue
    const [, pid, ppid, pgid, state = '?', command = ''] = match
    found.push({ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), state, command })
  }
  return found
}

async function listFromWindows(): Promise<ProcessInfo[]> {
  const query = 'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CommandLine | ConvertTo-Json'
  const { stdout } = await run('powershell', ['-NoProfile', '-Command', query], { maxBuffer: 64 * 1024 * 1024 })
  // The shape is the one that the query selects.
  const rows = JSON.parse(stdout) as { ProcessId: number; ParentProcessId: number; CommandLine: string | null }[]
  return rows.map((row) => ({
    pid: row.ProcessId,
    ppid: row.ParentProcessId,
    pgid: 0,
    state: 'R',
    command: row.CommandLine ?? '',
  }))
}
