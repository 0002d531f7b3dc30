/**
 * What processes really take. A page that ten processes share counts a tenth in each (PSS), so the sum over all of them is
 * what the machine gives up. Only Linux tells that; elsewhere it is resident memory, and the sum counts shared pages often.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface MemoryMB {
  readonly resident: number
  /** Resident memory where the system does not tell. */
  readonly proportional: number
}

export const KIND = process.platform === 'linux' ? 'PSS' : 'RSS'

export function readMemory(pid: number): MemoryMB {
  if (process.platform !== 'linux') {
    const resident = readResident(pid)
    return { resident, proportional: resident }
  }
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024
  return { resident: read('Rss'), proportional: read('Pss') }
}

/** Megabytes. Cheap where the system is Linux: asking for more of a large process would hold it up. */
export function readResident(pid: number): number {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
  }
  const [command, args] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).WorkingSet64 / 1KB`]]
      : ['ps', ['-o', 'rss=', '-p', String(pid)]]
  return Number(execFileSync(command, args, { encoding: 'utf8' })) / 1024
}

/** Linux counts in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100

/** Seconds, of all its threads; NaN where the system does not tell. */
export function readProcessorTime(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name may hold anything; after it come 11 fields, and then the time of the program and that of the system for it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
