/** The whole store out and in, by the real program with its daemon. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonHome } from '../daemon-home.ts'

let daemon: DaemonHome

beforeEach(async () => {
  daemon = await DaemonHome.create()
})

afterEach(() => daemon.dispose())

const FILE = `---
title: Deploy
description: Puts it on staging
version: 1.0.0
author: ada
category: release
---
1. Build.
`

test('what a daemon keeps is exported page by page, and taken in by another home, history of skills included', async () => {
  await daemon.up()
  await daemon.json(['call', 'checkpoint_save', '{"summary":"the parser is done"}'])
  await writeFile(daemon.home.file('skill.md'), FILE)
  await daemon.json(['skill', 'new', 'Deploy', '--file', daemon.home.file('skill.md')])
  await writeFile(daemon.home.file('skill.md'), FILE.replace('Build', 'Build twice'))
  await daemon.json(['skill', 'edit', 'deploy', '--file', daemon.home.file('skill.md')])
  const lines = Array.from({ length: 1_200 }, (_, index) =>
    JSON.stringify({
      kind: 'checkpoint',
      id: `filler-${String(index).padStart(4, '0')}`,
      scope: 'shared',
      text: `note ${index}`,
      tags: [],
      data: { summary: `note ${index}` },
      createdAt: 1,
      updatedAt: 1,
    }),
  )
  await writeFile(daemon.home.file('many.jsonl'), lines.join('\n'))
  expect(await daemon.json(['memory', 'import', daemon.home.file('many.jsonl')])).toMatchObject({
    added: 1_200,
    problems: [],
  })
  const file = daemon.home.file('all.jsonl')
  const exported = await daemon.json(['export', file])
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  const written = (await readFile(file, 'utf8')).trim().split('\n')
  expect(written).toHaveLength(Number(exported.lines))
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ switchboard: 'store' })

  const other = await DaemonHome.create()
  try {
    await other.up()
    // Known by heart before anything came.
    expect(await other.json(['skill', 'list'])).toEqual({ skills: [] })
    await writeFile(file, [...written.slice(0, 3), '{"space":"memory_checkpoints"}', ...written.slice(3)].join('\n'))
    const taken = await other.run(['import', file, '--json'])
    expect(taken.code).toBe(1)
    expect(JSON.parse(taken.out)).toMatchObject({ stored: written.length - 1, left: 0, problems: [{ line: 4 }] })
    await writeFile(file, written.join('\n'))
    expect(await other.json(['import', file])).toMatchObject({ stored: 0, left: written.length - 1, problems: [] })
    expect(await other.json(['skill', 'history', 'deploy'])).toMatchObject({
      versions: [{ version: '1.0.1' }, { version: '1.0.0' }],
    })
    expect(await other.json(['memory', 'list', '--all'])).toMatchObject({ total: 1_202 })
    const { backup } = (await other.json(['memory', 'backup'])) as { backup: { file: string } }
    expect(await other.json(['memory', 'backup', '--list'])).toMatchObject({ backups: [backup] })
    expect(await other.json(['status'])).toMatchObject({ store: { engine: 'sqlite', state: 'open', waiting: 0 } })
  } finally {
    await other.dispose()
  }
})
