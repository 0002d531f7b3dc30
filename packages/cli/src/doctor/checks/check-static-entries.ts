/** Servers that clients start from files of their own although Switchboard brings them already. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'
import type { DaemonLook } from '../look-at-daemon.ts'
import { findExtended } from '../static/find-extended.ts'
import { type Harm, judgeEntries } from '../static/judge-entries.ts'
import { readStaticEntries } from '../static/read-static-entries.ts'
import { EntryRemover } from '../static/remove-entry.ts'

const DEFAULT_PORT = 19_877

export async function checkStaticEntries(context: DoctorContext): Promise<Finding[]> {
  const { machine, cwd, now } = context
  const { entries, unreadable } = await readStaticEntries(machine, cwd)
  const config = await context.configuration()
  const isKnown = config !== undefined && !(config instanceof SwitchboardError)
  const harms = judgeEntries(entries, {
    servers: isKnown ? config.servers : [],
    port: findPort(await context.daemon(), machine.env) ?? (isKnown ? config.gateway.port : DEFAULT_PORT),
    extended: await findExtended(machine),
  })
  const remover = new EntryRemover(now)
  const findings = [
    ...harms.map((harm) => describe(harm, remover)),
    ...unreadable.map(({ file, clientName, problem }) =>
      warn(`${file} of ${clientName} is not understood: ${problem}`, 'Correct it; it is left as it is.'),
    ),
  ]
  if (findings.length > 0) return findings
  const files = new Set(entries.map(({ file }) => file)).size
  return [
    ok(files === 0 ? 'no client has servers of its own' : `no duplicates in ${formatCount(files, 'file')} of clients`),
  ]
}

/** The one that a daemon has, whatever the file says by now; without one, that of the environment. Undefined: as configured. */
function findPort(look: DaemonLook, env: DoctorContext['machine']['env']): number | undefined {
  if (look.state !== 'running') return Number(env.SWITCHBOARD_HTTP_PORT || undefined) || undefined
  const { http } = look.status.daemon
  return http !== null && 'url' in http ? Number(new URL(http.url).port) : undefined
}

function describe({ kind, entry, other, server }: Harm, remover: EntryRemover): Finding {
  const { file, name, clientName, path, project } = entry
  const where = `"${name}" in ${file}${path.length > 2 && project !== undefined ? ` (project ${project})` : ''}`
  const what = {
    vscode: `${where} leads ${clientName} to Switchboard a second time: the extension registers it for every window, so every tool is there twice, and calls of this one belong to no window and no mode`,
    twice: `${where} is one more way to Switchboard for ${clientName} besides "${other?.name}" in ${other?.file}: every tool is listed twice and costs its tokens twice`,
    shadowed: `${where} stands in front of "${other?.name}" in ${other?.file}: ${clientName} uses one of the two, and changes of the other do nothing`,
    same_server: `${where} starts the server that Switchboard runs as "${server}": ${clientName} lists its tools twice, and two processes of it may overwrite each other's state`,
  }[kind]
  const level = kind === 'vscode' || kind === 'twice' ? error : warn
  const keys = path.join(' → ')
  return level(what, `Remove ${keys} from the file; --fix does it and keeps the text before.`, async () => {
    const backup = await remover.remove(entry)
    return `removed ${keys} from ${file}; the text before is in ${backup}`
  })
}
