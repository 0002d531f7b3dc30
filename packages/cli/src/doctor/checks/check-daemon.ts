/** Is there one, is it the one that belongs to this command, and did one that is gone leave anything in its place? */
import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { DaemonLock } from '@switchboard/daemon'
import { type ConnectionsStatus, findEndpoint } from '@switchboard/daemon/client'
import { describeBugs } from '../../status/daemon-lines.ts'
import { describeRefused } from '../../status/refused-connections.ts'
import { formatDuration } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

/** Whoever starts a daemon is done by then, or has failed. */
const START_MS = 60_000

export async function checkDaemon(context: DoctorContext): Promise<Finding[]> {
  const look = await context.daemon()
  switch (look.state) {
    case 'running': {
      const { pid, version, started_at, state, bugs } = look.status.daemon
      const since = formatDuration(Math.max(0, context.now - Date.parse(started_at)))
      const told = `runs: pid ${pid}, version ${version}, up for ${since}${state === 'running' ? '' : `, ${state}`}`
      return [
        version === context.version
          ? ok(told)
          : warn(`${told}; this command is ${context.version}`, 'switchboard restart'),
        ...describeConnections(look.status.daemon.connections),
        ...(bugs > 0 ? [warn(describeBugs(bugs), 'switchboard restart')] : []),
      ]
    }
    case 'silent': {
      const who = look.info === undefined ? 'one that has not said who it is' : `pid ${look.info.pid}`
      const message = `holds its lock (${who}) but does not answer: ${look.reason}`
      return [error(message, 'Wait if it is just starting; else: switchboard down --force')]
    }
    case 'unknown':
      return [error(`the lock cannot be looked at: ${look.reason}`, 'Check who owns the folder and its files.')]
    case 'none':
      return [...describeLeftovers(context), ok('does not run; it is started when an agent needs it')]
  }
}

function describeConnections(connections: ConnectionsStatus | undefined): Finding[] {
  const refused = describeRefused(connections)
  if (refused === undefined) return []
  return [warn(refused, 'End what connects so often, or raise the limit (ulimit -n), then: switchboard restart')]
}

function describeLeftovers({ paths, now, machine }: DoctorContext): Finding[] {
  // A named pipe is gone with its process.
  const socket = machine.platform === 'win32' ? [] : [findEndpoint(paths)]
  const left = [...socket, paths.info].filter((path) => existsSync(path))
  const start = statSync(paths.starting, { throwIfNoEntry: false })
  if (start !== undefined && now - start.mtimeMs > START_MS) left.push(paths.starting)
  return left.map((path) =>
    warn(`${path} was left behind by a daemon that is gone`, `Delete it.`, async () => {
      // With the lock held none can come up in between whose file this would be.
      const lock = await DaemonLock.acquire({ file: paths.lock, infoFile: paths.info })
      try {
        await rm(path, { force: true, recursive: true })
      } finally {
        lock.release()
      }
      return `deleted ${path}`
    }),
  )
}
