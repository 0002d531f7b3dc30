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

function readResident(pid: number): number {
  const [command, args] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).WorkingSet64 / 1KB`]]
      : ['ps', ['-o', 'rss=', '-p', String(pid)]]
  return Number(execFileSync(command, args, { encoding: 'utf8' })) / 1024
}
