/** Variables that are typed in once and kept, for `${NAME}` in configurations. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec } from './command-spec.ts'

const common = { options: [], needs: 'home' } as const
const NAME = { name: 'name', required: true, summary: 'of the variable, as it stands in a configuration' } as const

export const SECRET_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'secret set',
    summary: 'Keep the value of a variable that a configuration names.',
    description: [
      'It is typed in without being shown, or read from a pipe. It is kept in the home (0600), sealed with a key of the keychain of the system where there is one, and stands for the variable in configurations wherever the environment of the daemon has none of that name. Servers that lacked it start.',
    ],
    arguments: [NAME],
    examples: [{ command: 'switchboard secret set GITHUB_TOKEN', what: 'asks for it' }],
    exitCodes: [EXIT.failed, EXIT.interrupted],
    ...common,
    load: () => import('../commands/secret-set.ts'),
  },
  {
    name: 'secret list',
    aliases: ['secret ls'],
    summary: 'List the names of what is kept. Values are never shown.',
    arguments: [],
    examples: [{ command: 'switchboard secret list', what: 'which variables are kept?' }],
    exitCodes: [EXIT.failed],
    ...common,
    load: () => import('../commands/secret-list.ts'),
  },
  {
    name: 'secret delete',
    aliases: ['secret rm'],
    summary: 'Forget the value of a variable.',
    arguments: [NAME],
    examples: [{ command: 'switchboard secret delete GITHUB_TOKEN', what: 'servers that need it say so' }],
    exitCodes: [EXIT.failed],
    ...common,
    load: () => import('../commands/secret-delete.ts'),
  },
]
