/** An agent that uses a person's file server to reach what is Switchboard's own, and somebody who looks over a person's shoulder. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fixtureCommand, textOfAnswer } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { useTargets } from './support/target.ts'

const targets = useTargets()

test('a server that serves its own folder shows nothing of ours there, however the daemon was started', async () => {
  const target = await targets.start({ mcpServers: { fx: fixtureCommand({}) } })
  await target.waitForState('fx', 'ready')
  const agent = await target.attach()
  const { cwd } = JSON.parse(textOfAnswer(await agent.call('fx_env')))
  expect(cwd).toBe(target.home.file('servers', 'fx'))
  expect(await readdir(cwd)).toEqual([])
  if (process.platform !== 'win32') expect((await stat(cwd)).mode & 0o777).toBe(0o700)
  await target.expectCalm()
})

test('a server that is given our home is told of when it is added, and by the doctor', async () => {
  const target = await targets.start({})
  const added = await target.run([
    'server',
    'add',
    'files',
    '--set',
    'start=lazy',
    '--',
    'no-such-program',
    target.home.path,
  ])
  expect(added.out).toContain("files may reach what is Switchboard's own: its args[0] leads to")
  const above = ['--set', 'start=lazy', '--', 'no-such-program', `--root=${join(target.home.path, '..')}`]
  expect((await target.run(['server', 'add', 'above', ...above])).out).toContain('which holds')
  const { findings } = JSON.parse((await target.run(['doctor', '--json'])).out)
  const told = findings.filter(
    ({ check, level }: { check: string; level: string }) => check === 'reach' && level === 'warn',
  )
  expect(told).toHaveLength(2)
  await target.expectCalm()
})

test('no screen shows the secrets of a server', async () => {
  const target = await targets.start({})
  const secrets = [
    '--token',
    'hunter-1',
    '--api-key',
    'hunter-2',
    'https://me:hunter-3@h/?key=hunter-4',
    '-H',
    'X-Key: hunter-5',
  ]
  const command = ['--env', 'OWN=hunter-6', '--', 'no-such-program', ...secrets]
  const added = await target.run(['server', 'add', 'a', ...command])
  const later = [['server', 'show', 'a', '--json'], ['server', 'list'], ['status', '--json'], ['doctor'], ['logs']]
  const screens = [added, ...(await Promise.all(later.map((argv) => target.run(argv))))]
  for (const { out, err } of screens) expect(out + err).not.toContain('hunter')
  await target.expectCalm()
})
