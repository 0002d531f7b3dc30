import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '@switchboard/base'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok } from '../finding.ts'

export async function checkLogFolder({ home: { logs } }: DoctorContext): Promise<Finding[]> {
  const found = await stat(logs).catch(() => undefined)
  if (found !== undefined && !found.isDirectory()) {
    return [error(`${logs} is no folder: logs go to stderr`, 'Move it away; the folder is made anew.')]
  }
  const folder = found === undefined ? await findExisting(logs) : logs
  try {
    await access(folder, constants.W_OK)
    return [ok(`logs go to ${logs}`)]
  } catch (thrown) {
    const code = errorCode(thrown) ?? thrown
    return [error(`${folder} cannot be written (${code}): logs go to stderr`, 'Check who owns it and its mode.')]
  }
}

/** The nearest folder above that is there. */
async function findExisting(path: string): Promise<string> {
  const parent = dirname(path)
  if (parent === path) return path
  return (await stat(parent).catch(() => undefined)) === undefined ? findExisting(parent) : parent
}
