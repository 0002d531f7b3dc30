import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatBytes } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

const GIGABYTE = 1_000_000_000
const LITTLE_BYTES = 200_000_000
const TOO_LITTLE_BYTES = 20_000_000
const CURE = 'Free some space; switchboard keeps logs for 7 days and its audit trail for 30.'

export async function checkDiskSpace({ home: { directory } }: DoctorContext): Promise<Finding[]> {
  const free = await readFree(directory)
  if (free === undefined) return []
  return [judgeSpace(free, directory)]
}

export function judgeSpace(free: number, directory: string): Finding {
  const amount = free < GIGABYTE ? formatBytes(free) : `${Math.floor(free / GIGABYTE)} GB`
  const message = `${amount} are free where ${directory} is`
  if (free < TOO_LITTLE_BYTES) return error(`only ${message}`, CURE)
  return free < LITTLE_BYTES ? warn(`only ${message}`, CURE) : ok(message)
}

async function readFree(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    const parent = dirname(path)
    return parent === path ? undefined : readFree(parent)
  }
}
