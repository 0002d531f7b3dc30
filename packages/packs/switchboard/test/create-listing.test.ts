import { silentLogger } from '@switchboard/telemetry'
import { expect, it } from 'vitest'
import { callTool, FakeModes, openPack } from './helpers/switchboard-bench.ts'

const logs = { directory: '/nowhere', own: silentLogger }

function namesOf({ provider }: ReturnType<typeof openPack>): string[] {
  return provider.catalog().tools.map(({ name }) => name)
}

it('lists the logs where there are any, and modes where some are configured', () => {
  expect(namesOf(openPack())).toEqual(['switchboard_status'])
  expect(namesOf(openPack({ logs, modes: new FakeModes() }))).toEqual(['debug_get_logs', 'switchboard_status'])
})

it('follows the configuration of modes while it runs, and says so', () => {
  const modes = new FakeModes()
  const pack = openPack({ logs, modes })
  const changes: unknown[] = []
  pack.provider.onCatalogChange((parts) => changes.push(parts))
  modes.configure({ name: 'talk', description: 'Only talks' })
  expect(namesOf(pack)).toEqual(['debug_get_logs', 'mode_get_instructions', 'mode_status', 'switchboard_status'])
  expect(changes).toEqual([['tools']])
  const { tools, instructions } = pack.provider.catalog()
  expect(tools[1]?.description).toContain('Call it before other tools. Modes: talk (Only talks).')
  expect(instructions).toBe(
    'Before you call other tools, declare what you are about with mode_get_instructions. Modes: talk (Only talks).',
  )
  modes.configure({ name: 'talk', description: 'Talks a lot' })
  modes.configure({ name: 'talk', description: 'Talks a lot' })
  expect(changes).toHaveLength(2)
  modes.configure()
  expect(namesOf(pack)).toEqual(['debug_get_logs', 'switchboard_status'])
  expect(pack.provider.catalog().instructions).toBe('')
  expect(changes).toHaveLength(3)
})

it('cannot be called for what is not listed', async () => {
  await expect(callTool(openPack(), 'mode_status')).rejects.toMatchObject({ code: 'unknown_tool' })
})

it('hears nothing more when it is closed', async () => {
  const modes = new FakeModes()
  const pack = openPack({ modes })
  await pack.close()
  modes.configure({ name: 'talk' })
  expect(namesOf(pack)).toEqual(['switchboard_status'])
})
