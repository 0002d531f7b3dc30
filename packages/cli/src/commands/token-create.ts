import { TokenStore } from '@switchboard/gateway'
import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { describeProfileDoubt } from '../config/describe-profile-doubt.ts'
import { loadConfig } from '../config/load-config.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [name = ''] = positionals
  const profile = options.text('profile')
  const expires = options.text('expires')
  const { text, token } = await new TokenStore(context.home.tokens).create({
    name,
    ...(profile === undefined ? {} : { profile }),
    ...(expires === undefined ? {} : { expires: Date.now() + readDuration(expires, 'expires', 'token create') }),
  })
  const doubt = await findDoubt(context, profile)
  if (context.isJson) printJson(context, { ...token, token: text, ...(doubt === undefined ? {} : { warning: doubt }) })
  else {
    context.out.line(text)
    if (doubt !== undefined) context.err.line(`${context.err.style.yellow('warning:')} ${doubt}`)
    context.err.line(
      context.err.style.dim(`Keep it: it is not shown again. Send it as "Authorization: Bearer ${text.slice(0, 8)}…".`),
    )
  }
  return EXIT.ok
}

/** A profile may be configured later; that it is not there yet is said. */
async function findDoubt(context: CommandContext, profile: string | undefined): Promise<string | undefined> {
  if (profile === undefined) return undefined
  const { listProfileNames } = await import('@switchboard/daemon')
  // What is wrong with the file is told by others.
  const config = await loadConfig(context).catch(() => undefined)
  return config === undefined ? undefined : describeProfileDoubt(profile, listProfileNames(config))
}
