import { existsSync, readdirSync } from 'node:fs'
import { leadsToSwitchboard } from '@switchboard/protocol/naming'
import type { CommandInput } from '../command-line/command-spec.ts'
import { loadConfig } from '../config/load-config.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { stopDaemon } from '../daemon-process/stop-daemon.ts'
import { findExtended } from '../doctor/static/find-extended.ts'
import { readStaticEntries } from '../doctor/static/read-static-entries.ts'
import { machineOf } from '../init/create-init-options.ts'
import { printUndone, undoInit } from '../init/run-undo.ts'
import { findInstallation } from '../install/find-installation.ts'
import { confirm } from '../memory/confirm.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount, formatPath } from '../terminal/format.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { out, home, isJson } = context
  const question = 'Give clients back what init has changed, and stop the daemon with all servers?'
  if (!options.flag('yes') && !(await confirm(context, question, 'uninstall'))) {
    out.line('Nothing was changed.')
    return EXIT.failed
  }
  // While it runs it is told of the configuration that comes back.
  const files = await undoInit(context)
  const stopped = await stopDaemon(context, { force: false })
  const left = await listLeft(context)
  const isWell = files.every(({ outcome }) => outcome !== 'refused')
  if (isJson) {
    printJson(context, { ok: isWell, files, stopped: stopped.kind === 'stopped', left })
    return isWell ? EXIT.ok : EXIT.failed
  }
  if (files.length > 0) printUndone(context, files)
  else out.line('There is no init to undo.')
  out.line(
    stopped.kind === 'stopped'
      ? `The daemon is stopped (pid ${stopped.pid}), and every server with it.`
      : 'No daemon was running.',
  )
  out.line()
  out.line(out.style.bold('What is left'))
  for (const { what, remove } of left) {
    out.line(`  ${what.replaceAll(home.userHome, '~')}`)
    out.line(out.style.dim(`    ${formatPath(remove, undefined)}`))
  }
  return isWell ? EXIT.ok : EXIT.failed
}

interface Left {
  readonly what: string
  /** How it is removed. */
  readonly remove: string
}

/** A login is good at its server for as long as nobody ends it there. */
function listKept(folder: string): Left[] {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const count = files.filter((name) => name.endsWith('.secret.json')).length
  const logins = {
    what: `${formatCount(count, 'login or secret', 'logins and secrets')} in that folder`,
    remove: 'switchboard server logout <name>, before you remove it, has a login ended at its server as well',
  }
  const key = {
    what: 'the key that they are sealed with: "Switchboard" in the keychain of the system',
    remove: 'remove it there, after them',
  }
  return [...(count === 0 ? [] : [logins]), ...(files.includes('keychain.json') ? [key] : [])]
}

async function listLeft(context: CommandContext): Promise<Left[]> {
  const { home, io } = context
  const machine = machineOf(context)
  const { gateway } = await loadConfig(context).catch(() => ({ gateway: { port: 0 } }))
  const { entries } = await readStaticEntries(machine, io.cwd)
  const ways = entries.filter((entry) => leadsToSwitchboard(entry, gateway.port))
  const extended = await findExtended(machine)
  const installation = findInstallation()
  return [
    ...ways.map(({ clientName, file, path }) => ({
      what: `an entry of ${clientName} that starts Switchboard, which init has not written: ${path.join(' → ')} in ${file}`,
      remove: 'take it out of the file by hand',
    })),
    ...(existsSync(home.directory)
      ? [
          {
            what: `your configuration, logs and memory: ${home.directory}`,
            remove: 'remove the folder once you need none of it',
          },
        ]
      : []),
    ...listKept(home.secrets),
    ...[...extended].map((id) => ({
      what: `the extension of ${id === 'vscode' ? 'VS Code' : 'VS Code Insiders'}`,
      remove: `uninstall "Switchboard" in its view of extensions`,
    })),
    installation.kind === 'global'
      ? { what: `the program, in ${installation.prefix}`, remove: 'npm rm -g switchboard' }
      : {
          what: `the program: ${installation.folder}`,
          remove: installation.kind === 'clone' ? 'remove the clone' : 'remove what has brought it',
        },
  ]
}
