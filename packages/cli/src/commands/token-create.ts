import { TokenStore } from '@switchboard/gateway'
import type { CommandInput } from '../command-line/command-spec.ts'
import { parseDuration } from '../command-line/parse-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [name = ''] = positionals
  const profile = options.text('profile')
  const expires = options.text('expires')
  const { text, token } = await new TokenStore(context.home.tokens).create({
    name,
    ...(profile === undefined ? {} : { profile }),
    ...(expires === undefined ? {} : { expires: Date.now() + parseDuration(expires, 'expires', 'token create') }),
  })
  if (context.isJson) printJson(context, { ...token, token: text })
  else {
    context.out.line(text)
    context.err.line(
      context.err.style.dim(`Keep it: it is not shown again. Send it as "Authorization: Bearer ${text.slice(0, 8)}…".`),
    )
  }
  return EXIT.ok
}
