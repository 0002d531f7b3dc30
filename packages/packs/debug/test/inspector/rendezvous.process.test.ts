import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Announcement, Rendezvous } from '../../src/inspector/rendezvous.ts'

const PREFIX = 'switchboard-node-debug-'
const hookOf = (rendezvous: Rendezvous): string => /"(.+)"/.exec(rendezvous.toNodeOptions(''))?.[1] ?? ''

let home: TemporaryDirectory
beforeEach(async () => {
  home = await createTemporaryDirectory('switchboard-rendezvous-')
})
afterEach(() => home.remove())

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(dead, 'exit')
  return dead.pid ?? 0
}

function abandon(parent: string, owner: number): string {
  const folder = mkdtempSync(join(parent, PREFIX))
  writeFileSync(join(folder, 'open'), String(owner))
  return folder
}

test('whoever announces itself is heard once, garbage is not, and the folder goes with us', async () => {
  const heard: Announcement[] = []
  const rendezvous = await Rendezvous.open(undefined, (announcement) => heard.push(announcement))
  const folder = dirname(hookOf(rendezvous))
  const announce = (pid: number, text: string): void => {
    writeFileSync(join(folder, 'new'), text)
    renameSync(join(folder, 'new'), join(folder, `process-${pid}.json`))
  }
  announce(1, 'garbage')
  announce(2, JSON.stringify({ pid: 2, parent: 1, url: 'ws://127.0.0.1:9/a', title: '' }))
  announce(3, JSON.stringify({ pid: 3, parent: 1, url: 'ws://127.0.0.1:9/b', title: '' }))
  announce(4, JSON.stringify({ pid: 4, parent: 1, url: 'ws://192.0.2.1:9/c', title: '' }))
  announce(5, JSON.stringify({ pid: 5, parent: 1, refused: 'stderr' }))
  await waitFor(() => heard.length === 3)
  expect(heard.map(({ pid, url }) => [pid, url]).sort()).toEqual([
    [2, 'ws://127.0.0.1:9/a'],
    [3, 'ws://127.0.0.1:9/b'],
    [5, undefined],
  ])
  await rendezvous.close()
  expect(existsSync(folder)).toBe(false)
})

test('a folder whose owner was killed is removed by the next one, that of a living owner is not', async () => {
  const [abandoned, used] = [abandon(home.path, await deadPid()), abandon(home.path, process.pid)]
  const rendezvous = await Rendezvous.open(home.path, () => {})
  try {
    await waitFor(() => !existsSync(abandoned))
    expect(readdirSync(used)).toEqual(['open'])
  } finally {
    await rendezvous.close()
  }
})

test('among the temporary files of all users nothing is removed that is not ours', async () => {
  const foreign = abandon(tmpdir(), await deadPid())
  const elsewhere = abandon(home.file(), await deadPid())
  const linked = join(home.path, 'inner')
  mkdirSync(linked)
  symlinkSync(elsewhere, join(linked, `${PREFIX}link`))
  const gone = abandon(linked, await deadPid())
  const opened = [await Rendezvous.open(undefined, () => {}), await Rendezvous.open(linked, () => {})]
  try {
    await waitFor(() => !existsSync(gone))
    for (const folder of [foreign, elsewhere]) expect(readdirSync(folder)).toEqual(['open'])
  } finally {
    for (const rendezvous of opened) await rendezvous.close()
    rmSync(foreign, { recursive: true })
  }
})

test.runIf(process.platform !== 'win32')('nobody else may look into it, and a pipe is not waited for', async () => {
  const parent = join(home.path, 'parent')
  mkdirSync(parent, { mode: 0o755 })
  // As many as there are threads that wait for files: one more and nothing is read any more.
  for (let index = 0; index < 8; index++) execFileSync('mkfifo', [join(mkdtempSync(join(parent, PREFIX)), 'open')])
  const gone = abandon(parent, await deadPid())
  const rendezvous = await Rendezvous.open(parent, () => {})
  try {
    execFileSync('mkfifo', [join(dirname(hookOf(rendezvous)), 'process-1.json')])
    await waitFor(() => !existsSync(gone))
    for (const folder of [parent, dirname(hookOf(rendezvous))]) expect(statSync(folder).mode & 0o077).toBe(0)
  } finally {
    await rendezvous.close()
  }
})

test('the options of the program stand between ours, and cannot publish its address', async () => {
  const rendezvous = await Rendezvous.open(home.path, () => {})
  try {
    const options = rendezvous.toNodeOptions(' --inspect-publish-uid=http --no-warnings ')
    expect(options).toMatch(/^--require ".+" --inspect-publish-uid=http --no-warnings --inspect-publish-uid=stderr$/)
  } finally {
    await rendezvous.close()
  }
})
