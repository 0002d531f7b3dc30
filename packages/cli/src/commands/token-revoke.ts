import { nearestName } from '@switchboard/base'
import { TokenStore } from '@switchboard/gateway'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals }: CommandInput): Promise<number> {
  const [wanted = ''] = positionals
  const store = new TokenStore(context.home.tokens)
  if (!(await store.revoke(wanted))) {
    const known = await store.list()
    const nearest = nearestName(
      wanted,
      known.flatMap(({ id, name }) => [id, name]),
    )
    throw new SwitchboardError('invalid_configuration', `No token has the id or name "${wanted}".`, {
      hint: nearest === undefined ? 'switchboard token list shows them.' : `Did you mean "${nearest}"?`,
    })
  }
  if (context.isJson) printJson(context, { revoked: wanted })
  else context.out.line(`Revoked ${wanted}. It is refused from the next request on.`)
  return EXIT.ok
}
