/** A home of its own in the folder for temporary files: nothing of the person's is read or touched. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFileAtomically } from '@switchboard/base'
import { programCommand } from '../program/program-command.ts'
import { DEMO_SERVERS } from './demo-server.ts'

/** The mistake is on its last line: `cont`. */
export const PROGRAM_TEXT = `function price(items) {
  let sum = 0
  for (const item of items) {
    sum += item.cost * item.count
  }
  return sum
}

console.log(price([{ cost: 3, count: 2 }, { cost: 5, cont: 1 }]))
`

export interface DemoHome {
  readonly folder: string
  readonly home: string
  readonly workspace: string
}

export async function makeDemoHome(): Promise<DemoHome> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-demo-'))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'shop')]
  await mkdir(home, { mode: 0o700 })
  await mkdir(workspace)
  await writeFileAtomically(join(workspace, 'shop.js'), PROGRAM_TEXT)
  const servers = DEMO_SERVERS.map((name) => {
    const [command, ...args] = programCommand('demo', '--serve', name)
    return [name, { command, args }]
  })
  const config = {
    mcpServers: Object.fromEntries(servers),
    modes: {
      look: { description: 'Reads, changes nothing', tools: { deny: ['ledger_add'] } },
      work: { description: 'May change things' },
    },
  }
  await writeFileAtomically(join(home, 'config.json'), `${JSON.stringify(config, null, 2)}\n`)
  return { folder, home, workspace }
}

export async function removeDemoHome({ folder }: DemoHome): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
