/** Whether a process lives, and whether it is a daemon of ours: a pid alone proves nothing, it may be somebody else's by now. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isProcessAlive } from '@switchboard/base'

const run = promisify(execFile)

/** A zombie is dead: whoever started it just has not looked yet. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The program's name stands in parentheses and may itself hold spaces and parentheses.
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** By its command line: our program, run as `daemon` or `up`. */
export async function isDaemonProcess(pid: number): Promise<boolean> {
  return (await isRunning(pid)) && isDaemonCommand(await readCommandLine(pid))
}

/** Words of a command line, or the line itself where the system does not keep them apart. */
export function isDaemonCommand(commandLine: string): boolean {
  const words = commandLine.split(/[\0\s"]+/)
  const program = words.findIndex((word) => /(?:^|[\\/])(?:switchboard(?:\.m?js)?|main\.[jt]s)$/.test(word))
  return program >= 0 && words.slice(program + 1).some((word) => word === 'daemon' || word === 'up')
}

/** Empty: it cannot be known. */
async function readCommandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const { stdout } =
      process.platform === 'win32'
        ? await run('powershell', [
            '-NoProfile',
            '-Command',
            `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
          ])
        : await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return stdout
  } catch {
    return ''
  }
}
