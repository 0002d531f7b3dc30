/** Lines of an export: to stdout as they come, or into a file that only its owner can read and that is there only once it is whole. */
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, errorMessage } from '@switchboard/base'
import { UsageError } from '../command-line/usage-error.ts'
import type { CommandContext } from '../context/command-context.ts'

export interface LinesOut {
  /** Undefined: stdout. */
  readonly path: string | undefined
  write(lines: readonly string[]): Promise<void>
  /** `isWhole`: all of it was written. */
  end(isWhole: boolean): Promise<void>
}

export interface LinesOutOptions {
  readonly isForced: boolean
  readonly command: string
}

/** `file`: absent or `-` is stdout. */
export async function openLinesOut(
  { io, out }: CommandContext,
  file: string | undefined,
  { isForced, command }: LinesOutOptions,
): Promise<LinesOut> {
  if (file === undefined || file === '-') {
    return {
      path: undefined,
      write: async (lines) => {
        if (lines.length > 0) await out.writeSlowly(`${lines.join('\n')}\n`)
      },
      end: async () => undefined,
    }
  }
  const path = resolve(io.cwd, file)
  await refuseFolder(path, command)
  if (!isForced) await refuseExisting(path, command)
  const draft = `${path}.${process.pid}.part`
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be written: ${errorMessage(error)}.`, { command })
  })
  return createFileOut(handle, draft, path)
}

function createFileOut(handle: FileHandle, draft: string, path: string): LinesOut {
  return {
    path,
    write: async (lines) => {
      if (lines.length > 0) await handle.appendFile(`${lines.join('\n')}\n`)
    },
    end: async (isWhole) => {
      if (isWhole) await handle.sync()
      await handle.close()
      if (isWhole) await rename(draft, path)
      else await rm(draft, { force: true })
    },
  }
}

/** Nothing can take its place, also where somebody insists. */
async function refuseFolder(path: string, command: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) {
    throw new UsageError(`${path} is a folder.`, { command, hint: 'Name a file in it.' })
  }
}

async function refuseExisting(path: string, command: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    await handle.close()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
  }
  throw new UsageError(`${path} is there already.`, { command, hint: 'Choose another name, or say --force.' })
}
