/** For those who work on Switchboard itself, in a clone. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec } from './command-spec.ts'

export const DEV_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'dev new-pack',
    summary: 'Scaffold a pack of tools, in a clone of Switchboard.',
    description: [
      'Writes a folder of packages/packs with one tool, one key of configuration, a guide and a test, which pass every check as they are, and names the package where npm and the compiler list it. What is left to do is one line in the list of packs of the daemon; docs/packs.md tells more.',
    ],
    arguments: [
      { name: 'name', required: true, summary: 'the pack, in small letters; its folder and its key in `packs`' },
    ],
    options: [],
    examples: [{ command: 'switchboard dev new-pack notes', what: 'a new pack notes with the tool notes_echo' }],
    exitCodes: [EXIT.failed],
    needs: 'nothing',
    load: () => import('../commands/dev-new-pack.ts'),
  },
  {
    name: 'dev new-tool',
    summary: 'Scaffold a tool of a pack, in a clone of Switchboard.',
    description: [
      'Writes a pair of files, <alias>.meta.yaml and <alias>.ts, that pass every check as they are, and a test of it; docs/toolkit.md tells what to write into them. Nothing that exists is changed.',
    ],
    arguments: [
      { name: 'pack', required: true, summary: 'the pack, a folder of packages/packs' },
      { name: 'alias', required: true, summary: 'thing.action; agents call it thing_action' },
    ],
    options: [],
    examples: [{ command: 'switchboard dev new-tool debug breakpoint.toggle', what: 'a new tool breakpoint_toggle' }],
    exitCodes: [EXIT.failed],
    needs: 'nothing',
    load: () => import('../commands/dev-new-tool.ts'),
  },
]
