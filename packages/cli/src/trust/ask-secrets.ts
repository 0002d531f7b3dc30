/** What servers of a project lack is asked for where a person is there to be asked, and kept. Nobody has to answer. */

import type { ProjectReport } from '@switchboard/daemon/client'
import { KeptVariables } from '@switchboard/daemon/configuration'
import { askVerdict } from '../config/ask-verdict.ts'
import type { CommandContext } from '../context/command-context.ts'
import { askHidden } from './ask-hidden.ts'

const MISSING = /the variable (\w+) is not set/g

/** Whether anything was kept. */
export async function askSecrets(context: CommandContext, { servers }: ProjectReport): Promise<boolean> {
  const { io, out, home } = context
  if (io.stdin.isTTY !== true || context.isJson) return false
  const missing = servers.flatMap(({ problem = '' }) =>
    [...problem.matchAll(MISSING)].flatMap(([, name]) => name ?? []),
  )
  const kept = new KeptVariables(home.secrets, io.env)
  let isAny = false
  for (const name of new Set(missing)) {
    const value = await askHidden(context, `${name} is not set. Its value, which is kept (nothing: not now): `)
    if (io.signal.aborted) break
    if (value === '') continue
    await kept.set(name, value, { signal: io.signal })
    out.line(`Kept ${name}.`)
    isAny = true
  }
  if (isAny) await askVerdict(context, '', false)
  return isAny
}
