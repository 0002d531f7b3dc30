import type { ServerTrust } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { confirm } from '../memory/confirm.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount } from '../terminal/format.ts'
import { isFolder } from '../trust/ask-project.ts'
import { askTrust, type TrustLink } from '../trust/ask-trust.ts'
import { nameWaiting, printRemarks, printWaiting } from '../trust/print-trust.ts'
import { run as trustProject } from './trust.ts'

export async function run(context: CommandContext, input: CommandInput): Promise<number> {
  const { out } = context
  const {
    options,
    positionals: [what = ''],
  } = input
  if (isFolder(what)) return trustProject(context, input)
  // Names of servers have no slash; names of tools may.
  const slash = what.indexOf('/')
  const server = slash < 0 ? what : what.slice(0, slash)
  const name = slash < 0 ? undefined : what.slice(slash + 1)
  return askTrust(context, async (trust) => {
    const found = await findMeant(trust, server, name)
    const { waiting, remarks } = found
    // One that was taken back before anything of it was seen, or whose record is damaged, has nothing that could wait.
    const isTakenBack = found.isRevoked && name === undefined
    if (waiting.length + remarks.length === 0 && !isTakenBack) {
      if (context.isJson) printJson(context, { server, accepted: [], left: 0 })
      else out.line(`Nothing of ${what} waits to be accepted.`)
      return EXIT.ok
    }
    if (!options.flag('yes')) {
      if (!context.isJson) {
        printRemarks(context, found)
        printWaiting(context, waiting)
      }
      const meant = describeMeant(found)
      const question =
        meant === '' ? `Accept ${server}, as it is when it is seen next?` : `Accept ${meant} of ${server}?`
      if (!(await confirm(context, question, 'trust accept'))) {
        out.line('Nothing was accepted.')
        return EXIT.failed
      }
    }
    const hashes = waiting.map(({ hash }) => hash)
    const { accepted, left } = await trust.accept({ server, hashes, ...(name === undefined ? {} : { name }) })
    if (context.isJson) printJson(context, { server, accepted, left })
    else if (accepted.length + remarks.length === 0) out.line(`Accepted ${server}, as it is when it is seen next.`)
    else {
      const then = accepted.length === 0 ? 'it is told of no more' : 'agents get them from now on'
      out.line(`Accepted ${describeMeant({ waiting: accepted, remarks })} of ${server}; ${then}.`)
      if (left > 0) out.line(`${left} more of it wait: "switchboard trust list ${server}".`)
    }
    return EXIT.ok
  })
}

async function findMeant(trust: TrustLink, server: string, name: string | undefined): Promise<ServerTrust> {
  const [found] = await trust.list({ server, whole: true })
  if (found === undefined) throw new SwitchboardError('unknown_server', `No server is named "${server}".`)
  if (name === undefined) return found
  const isNamed = (one: { readonly name: string }): boolean => one.name === name
  const meant = { ...found, waiting: found.waiting.filter(isNamed), remarks: found.remarks.filter(isNamed) }
  if (meant.waiting.length + meant.remarks.length > 0 || found.waiting.length === 0) return meant
  const names = found.waiting.slice(0, MAX_NAMED).map(nameWaiting).join(', ')
  throw new SwitchboardError('unknown_tool', `Nothing of ${server} that waits is named "${name}".`, {
    hint: `There is ${names}${found.waiting.length > MAX_NAMED ? ' and more' : ''}.`,
  })
}

function describeMeant({ waiting, remarks }: Pick<ServerTrust, 'waiting' | 'remarks'>): string {
  return [
    ...(waiting.length === 0 ? [] : [formatCount(waiting.length, 'definition')]),
    ...(remarks.length === 0 ? [] : [formatCount(remarks.length, 'remark')]),
  ].join(' and ')
}

const MAX_NAMED = 5
