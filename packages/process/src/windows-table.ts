/**
 * The processes of Windows: who started whom, and when. There is no file to read and no call of Node's to ask, so a program is
 * asked: PowerShell, which every Windows has; `wmic` where nobody may run that one, or where there is none (Wine, whose `wmic`
 * does not know when a process began).
 *
 * A number is given again soon, and a process keeps the number of its parent when that one is gone: whoever is older than who has
 * that number now is nobody's child.
 */
import { execFile } from 'node:child_process'
import { errorMessage } from '@switchboard/base'
import type { ProcessEntry } from './process-table.ts'

const CIM = "Get-CimInstance -Query 'SELECT ParentProcessId,ProcessId,CreationDate FROM Win32_Process'"
const EACH =
  '"{0} {1} {2}" -f $_.ParentProcessId, $_.ProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()'

/** Commands that print a line `<parent> <pid> [<milliseconds since 1970>]` for each, among others. */
export const WINDOWS_LISTINGS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['powershell', '-NoProfile', '-NonInteractive', '-Command', `${CIM} | ForEach-Object { ${EACH} }`],
  ['wmic', 'process', 'get', 'ParentProcessId,ProcessId'],
]

const MOST_BYTES = 16 * 1024 * 1024
/** A busy machine starts PowerShell in some seconds. */
const PATIENCE_MS = 20_000

/** The first that works is asked from then on. */
let works = 0

/** Rejects when nobody can tell. */
export async function listFromWindows(): Promise<ProcessEntry[]> {
  for (let failure: unknown; ; works += 1) {
    const listing = WINDOWS_LISTINGS[works]
    if (listing === undefined) {
      works = 0
      throw new Error(`No program tells which processes there are: ${errorMessage(failure)}`)
    }
    try {
      const entries = parseWindowsTable(await print(listing))
      if (entries.some(({ pid }) => pid === process.pid)) return entries
    } catch (error) {
      failure = error
    }
  }
}

function print([command, ...args]: readonly [string, ...string[]]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: MOST_BYTES, timeout: PATIENCE_MS, windowsHide: true }
    const child = execFile(command, args, options, (error, stdout) => {
      if (error) reject(error)
      else resolve(stdout)
    })
    // Both read it to its end before they begin.
    child.stdin?.end()
  })
}

export function parseWindowsTable(text: string): ProcessEntry[] {
  // `wmic` writes two bytes a letter.
  const lines = text.replaceAll('\0', '').split('\n')
  const entries = lines.flatMap((line): ProcessEntry[] => {
    const words = line.trim().split(/\s+/)
    if (words.length < 2 || words.length > 3 || !words.every((word) => /^\d+$/.test(word))) return []
    const [parent, pid, started = ''] = words
    return [{ pid: Number(pid), parent: Number(parent), group: 0, session: 0, started }]
  })
  const starts = new Map(entries.map(({ pid, started }) => [pid, started]))
  return entries.map((entry) => (isOlder(entry.started, starts.get(entry.parent)) ? { ...entry, parent: 0 } : entry))
}

function isOlder(started: string, than: string | undefined): boolean {
  return started !== '' && than !== undefined && than !== '' && Number(started) < Number(than)
}
