import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type Announcement, Rendezvous } from '../../src/inspector/rendezvous.ts'

const hookOf = ({ nodeOptions }: Rendezvous): string => /"(.+)"/.exec(nodeOptions)?.[1] ?? ''

test('whoever announces itself is heard once, garbage is not, and the folder goes with us', async () => {
  const heard: Announcement[] = []
  const rendezvous = await Rendezvous.open((announcement) => heard.push(announcement))
  const folder = dirname(hookOf(rendezvous))
  const announce = (pid: number, text: string): void => {
    writeFileSync(join(folder, 'new'), text)
    renameSync(join(folder, 'new'), join(folder, `process-${pid}.json`))
  }
  announce(1, 'garbage')
  announce(2, JSON.stringify({ pid: 2, parent: 1, url: 'ws://127.0.0.1:9/a', title: '' }))
  announce(3, JSON.stringify({ pid: 3, parent: 1, url: 'ws://127.0.0.1:9/b', title: '' }))
  await waitFor(() => heard.length === 2)
  expect(heard.map(({ pid }) => pid).sort()).toEqual([2, 3])
  await rendezvous.close()
  expect(existsSync(folder)).toBe(false)
})

test('a folder whose owner was killed is removed by the next one, that of a living owner is not', async () => {
  const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(dead, 'exit')
  const create = (owner: number): string => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-node-debug-'))
    writeFileSync(join(folder, 'open'), String(owner))
    return folder
  }
  const [abandoned, used] = [create(dead.pid ?? 0), create(process.pid)]
  const rendezvous = await Rendezvous.open(() => {})
  try {
    await waitFor(() => !existsSync(abandoned))
    expect(readdirSync(used)).toEqual(['open'])
  } finally {
    await rendezvous.close()
    rmSync(used, { recursive: true })
  }
})
