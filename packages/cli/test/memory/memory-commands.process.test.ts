/** What people do with the memory, in this process and on a store of its own. No daemon runs. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { TestHome } from '../run-main.ts'

let home: TestHome
let here = ''
let there = ''

beforeEach(async () => {
  home = await TestHome.create()
  here = home.file('projects', 'here')
  there = home.file('projects', 'there')
  await mkdir(here, { recursive: true })
  await mkdir(there, { recursive: true })
})

afterEach(() => home[Symbol.asyncDispose]())

async function save(summary: string, { cwd = here, tags = [] as string[] } = {}): Promise<string> {
  const args = JSON.stringify({ summary, tags })
  const { code, out } = await home.run(['call', 'checkpoint_save', args, '--json'], { cwd })
  expect(code).toBe(0)
  return JSON.parse(out).structuredContent.data.id
}

const json = async (argv: readonly string[], cwd = here) => {
  const { code, out, err } = await home.run([...argv, '--json'], { cwd })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('memory list, search and show', () => {
  test('tell of the project of the folder one stands in, or of another, or of all', async () => {
    await save('the parser is done', { tags: ['red'] })
    await save('the linker is done', { cwd: there })
    const titles = async (...more: string[]) =>
      (await json(['memory', 'list', ...more])).items.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['the parser is done'])
    expect(await titles('--project', '../there')).toEqual(['the linker is done'])
    expect((await titles('--all')).sort()).toEqual(['the linker is done', 'the parser is done'])
    expect(await titles('--all', '--tag', 'red')).toEqual(['the parser is done'])
    expect(await titles('--all', '--kind', 'remediation')).toEqual([])
    const { out } = await home.run(['memory', 'list', '--all'], { cwd: here })
    expect(out).toContain('<home>/projects/here')
    expect(out).toMatch(/^ID +KIND +AGE +PROJECT +TAGS +WHAT$/m)
    const found = await json(['memory', 'search', 'linker', 'done', '--all'])
    expect(found.items[0]).toMatchObject({ title: 'the linker is done', matched: 'text' })
    const none = await home.run(['memory', 'search', 'linker'], { cwd: here })
    expect(none).toMatchObject({ code: 0, out: 'None of the 1 that are remembered for <home>/projects/here fit.\n' })
    expect(none.err).toContain('memory search --all looks into every project')
  })

  test('an error is told by the line that says it, not by the one that every trace begins with', async () => {
    const errorMessage = 'Traceback (most recent call last):\n  File "/a/b.py", line 1, in main\nKeyError: 1'
    await home.run(['call', 'remediation_save', JSON.stringify({ errorMessage, solution: 's' })], { cwd: here })
    expect((await json(['memory', 'list'])).items).toMatchObject([{ title: 'KeyError: 1' }])
  })

  test('an error of one project is told with its folder, also after it was tried', async () => {
    const error = JSON.stringify({ errorMessage: 'KeyError: 1', solution: 's', scope: 'project' })
    await home.run(['call', 'remediation_save', error], { cwd: here })
    const [{ id, project }] = (await json(['memory', 'list', '--all'])).items
    expect(project).toContain('here')
    await home.run(['call', 'remediation_feedback', JSON.stringify({ id, worked: true })], { cwd: here })
    expect((await json(['memory', 'list', '--all'])).items).toMatchObject([{ id, project }])
  })

  test('a short id is enough, one that is none or too short is told, and hostile text is harmless on a terminal', async () => {
    const id = await save('evil \u001b[2J\u202e title')
    const shown = await home.run(['memory', 'show', id.slice(0, 8)], { cwd: there, isTTY: true })
    expect(shown.code).toBe(0)
    expect(shown.out).toContain('evil \\u001b[2J\\u202e title')
    expect(await home.run(['memory', 'show', 'ffff0000'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('switchboard memory list --all shows what there is.'),
    })
    expect((await home.run(['memory', 'show', 'ab'])).err).toContain('too short for an id')
    expect((await home.run(['memory', 'list', '--kind', 'poem'])).code).toBe(2)
    expect((await home.run(['memory', 'list', '--limit', '0'])).err).toContain(
      '--limit must be a number from 1 to 1000',
    )
    expect((await home.run(['memory', 'list', '--all', '--project', '.'])).code).toBe(2)
  })

  test('a memory that is switched off says so', async () => {
    await home.configure({ packs: { memory: { enabled: false } } })
    const { code, err } = await home.run(['memory', 'list'])
    expect(code).toBe(69)
    expect(err).toContain('packs.memory.enabled')
  })
})

describe('memory delete', () => {
  test('asks a person, does nothing where nobody can be asked, and takes --yes', async () => {
    const id = await save('to be forgotten')
    expect((await home.run(['memory', 'delete', id])).err).toContain('Say --yes if you are sure.')
    const ask = async (answer: string): Promise<{ code: number; out: string }> => {
      const io = home.io({ isTTY: true, cwd: here })
      const ended = main(['memory', 'delete', id.slice(0, 6)], io)
      io.stdin.write(`${answer}\n`)
      return { code: await ended, out: io.stdout.plain }
    }
    expect(await ask('n')).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was deleted.') })
    expect((await json(['memory', 'list'])).total).toBe(1)
    expect(await ask('y')).toMatchObject({ code: 0, out: expect.stringContaining('Deleted 1 item.') })
    expect((await json(['memory', 'list'])).total).toBe(0)
    const ids = [await save('one'), await save('two')]
    expect((await home.run(['memory', 'delete', ids[0] ?? '', 'ffffffff', '--yes'])).code).toBe(2)
    expect((await json(['memory', 'list'])).total).toBe(2)
    expect((await json(['memory', 'delete', ...ids, '--yes'])).deleted).toHaveLength(2)
  })
})

describe('memory export and import', () => {
  test('a file of its owner alone brings everything back, wrong lines are told by their numbers', async () => {
    await save('first', { tags: ['a'] })
    await save('second', { cwd: there })
    const file = home.file('notes.jsonl')
    expect((await home.run(['memory', 'export', file, '--all'])).out).toBe(
      'Wrote 2 lines to <home>/notes.jsonl, which only you can read.\n',
    )
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await home.run(['memory', 'export', file])).err).toContain('Choose another name, or say --force.')
    expect((await home.run(['memory', 'export', home.file('none', 'x')])).code).toBe(2)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect((await home.run(['memory', 'export', '--all'])).out.trim().split('\n')).toEqual(
      lines.map(home.normalize, home),
    )
    const { items } = await json(['memory', 'list', '--all'])
    await json(['memory', 'delete', items[0].id, '--yes'])
    const broken = [lines[0], '{', '', JSON.stringify({ kind: 'poem' }), lines[1]].join('\n')
    const taken = await home.run(['memory', 'import', '-', '--json'], { input: broken })
    expect(taken.code).toBe(1)
    expect(JSON.parse(taken.out)).toEqual({
      added: 1,
      replaced: 0,
      same: 1,
      masked: 0,
      problems: [
        { line: 2, problem: 'is no JSON' },
        { line: 4, problem: expect.stringContaining('kind must be one of') },
      ],
    })
    expect((await json(['memory', 'list', '--all'])).total).toBe(2)
    expect((await home.run(['memory', 'import', home.file('absent')])).err).toContain('cannot be read')
  })

  test('a file of the one is told from a file of the other, and blank lines and a mark before the first do no harm', async () => {
    await save('first')
    const [mine, all] = [home.file('mine.jsonl'), home.file('all.jsonl')]
    await home.run(['memory', 'export', mine, '--all'])
    await home.run(['export', all])
    expect((await home.run(['import', mine])).err).toContain('`switchboard memory import` takes it in')
    expect((await home.run(['memory', 'import', all])).err).toContain('`switchboard import` takes it in')
    const lines = (await readFile(all, 'utf8')).trim().split('\n')
    await writeFile(all, `\uFEFF${lines.join('\n\n')}\n\n{\n`)
    const taken = await home.run(['import', all, '--json'])
    expect(JSON.parse(taken.out)).toMatchObject({ left: lines.length - 1, problems: [{ line: 2 * lines.length + 1 }] })
    await writeFile(mine, `\uFEFF${await readFile(mine, 'utf8')}\n\n`)
    expect(await json(['memory', 'import', mine])).toMatchObject({ same: 1, problems: [] })
  })

  test('however many lines are wrong, as many are told', async () => {
    const { code, out } = await home.run(['import', '-', '--json'], { input: '{\n'.repeat(700) })
    expect(code).toBe(1)
    expect(JSON.parse(out).problems).toHaveLength(700)
  })

  test('a folder is no file to write to, also with --force', async () => {
    const { code, err } = await home.run(['memory', 'export', here, '--force'])
    expect(code).toBe(2)
    expect(err).toContain('here is a folder.')
  })

  test('a skill whose name another has is not taken', async () => {
    const head = 'title: Deploy\ndescription: d\nversion: 1.0.0\nauthor: a\ncategory: c'
    await writeFile(home.file('skill.md'), `---\n${head}\n---\nBuild.\n`)
    expect((await home.run(['skill', 'new', 'Deploy', '--file', home.file('skill.md')])).code).toBe(0)
    const { out } = await home.run(['memory', 'export', '--all'])
    const other = JSON.stringify({ ...JSON.parse(out), id: 'another' })
    const taken = await home.run(['memory', 'import', '-', '--json'], { input: `${out.trim()}\n${other}\n` })
    expect(JSON.parse(taken.out)).toMatchObject({
      added: 0,
      same: 1,
      problems: [{ line: 2, problem: expect.stringContaining('has that name') }],
    })
    expect((await json(['skill', 'list'])).skills).toHaveLength(1)
  })

  test('a skill comes with all of its versions, and a version without its skill is not taken', async () => {
    const head = 'title: Deploy\ndescription: d\nversion: 1.0.0\nauthor: a\ncategory: c\ntags: ops'
    const file = `---\n${head}\n---\nBuild.\n`
    await home.run(['skill', 'new', 'Deploy', '--file', '-'], { input: file })
    await home.run(['skill', 'edit', 'deploy', '--file', '-'], { input: file.replace('Build', 'Build twice') })
    await save('no skill')
    const { out } = await home.run(['memory', 'export', '--all', '--tag', 'ops'])
    const lines = out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['skill', 'version'])
    await using other = await TestHome.create()
    const [, version = ''] = lines
    const alone = await other.run(['memory', 'import', '-', '--json'], { input: version })
    expect(JSON.parse(alone.out)).toMatchObject({ added: 0, problems: [{ line: 1 }] })
    const elsewhere = JSON.stringify({ ...JSON.parse(version), scope: 'shared' })
    const taken = await other.run(['memory', 'import', '-', '--json'], { input: `${out}${elsewhere}\n` })
    expect(JSON.parse(taken.out)).toMatchObject({ added: 2, problems: [{ line: 3 }] })
    expect((await other.run(['skill', 'history', 'deploy'])).out).toMatch(/^1\.0\.1 +now\n1\.0\.0 +until/)
    const again = await other.run(['memory', 'import', '-', '--json'], { input: out })
    expect(JSON.parse(again.out)).toMatchObject({ same: 2, problems: [] })
  })

  test('a line that nothing could be done with afterwards is not taken', async () => {
    const now = Date.now()
    const item = { kind: 'checkpoint', id: 'aaaa1111', scope: 'shared', text: 't', data: { summary: 'fine' } }
    const skill = { ...item, kind: 'skill', data: { name: 'deploy', title: 'Deploy', version: '1.0.0', content: 'c' } }
    const times = { createdAt: now, updatedAt: now }
    const lines = [
      { ...item, ...times },
      { ...item, ...times, id: 'aaaa2222', updatedAt: 9e15 },
      { ...item, ...times, id: 'aaaa3333', data: { summary: 'x'.repeat(3_000_000) } },
      { ...skill, ...times, id: 'bbbb1111' },
      { ...skill, ...times, id: 'bbbb2222', scope: 'project:1' },
      { ...skill, ...times, id: 'bbbb3333', data: { ...skill.data, name: '../../deploy' } },
      { ...skill, ...times, id: 'bbbb4444', data: { ...skill.data, name: 'other', version: 'latest' } },
    ]
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    const taken = await home.run(['memory', 'import', '-', '--json'], { input })
    const problems = [
      { line: 2, problem: 'createdAt and updatedAt must be milliseconds since 1970' },
      { line: 3, problem: expect.stringContaining('more than anything that an agent can save') },
      { line: 5, problem: 'is a skill: its scope must be shared' },
      { line: 6, problem: 'is a skill: its name must be as deploy-to-staging' },
      { line: 7, problem: 'is a skill: its version must be as 1.0.0' },
    ]
    expect(JSON.parse(taken.out)).toMatchObject({ added: 2, problems })
    expect((await json(['memory', 'list', '--all'])).total).toBe(2)
    const whole = {
      space: 'memory_checkpoints',
      item: { ...item, ...times, id: 'aaaa4444', tags: [], updatedAt: 9e15 },
    }
    const all = await home.run(['import', '-'], { input: `${JSON.stringify(whole)}\n` })
    expect(all.err + all.out).toContain('is no time')
    expect((await json(['memory', 'list', '--all'])).total).toBe(2)
  })

  test('of two skills with one name that the whole store brings, the later one is called otherwise', async () => {
    const skill = (id: string, createdAt: number) =>
      JSON.stringify({
        space: 'memory_skills',
        item: {
          ...{ id, kind: 'skill', scope: 'shared', text: 'Deploy', tags: [], createdAt, updatedAt: createdAt },
          data: { name: 'deploy', title: 'Deploy', description: id, content: id, version: '1.0.0' },
        },
      })
    await save('first')
    const [head = ''] = (await home.run(['export'])).out.split('\n')
    const lines = [head, skill('later', 20), skill('first', 10)].join('\n')
    const { code, err } = await home.run(['import', '-'], { input: lines })
    expect({ code, err }).toEqual({
      code: 0,
      err: 'Another skill is called deploy already: that of this import is called deploy-2 now.\n',
    })
    expect((await json(['skill', 'list'])).skills).toMatchObject([
      { name: 'deploy', id: 'first' },
      { name: 'deploy-2', id: 'later' },
    ])
    // What was parted stays so.
    expect((await home.run(['import', '-'], { input: lines })).err).toContain('is called deploy-2 now')
    expect((await json(['skill', 'list'])).skills).toHaveLength(2)
  })

  test('secrets are masked before they are stored', async () => {
    await save('the key is here')
    const { out } = await home.run(['memory', 'export', '--all'])
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const line = JSON.stringify({ ...JSON.parse(out.replaceAll('the key is', `the key ${secret} is`)), id: 'leaky' })
    expect((await home.run(['memory', 'import', '-'], { input: line })).out).toBe(
      'Added 1, replaced 0, 0 were there as they are. Secrets were masked in 1.\n',
    )
    expect((await home.run(['memory', 'export', '--all'])).out).not.toContain(secret)
    // Masked, it is what is there.
    expect((await home.run(['memory', 'import', '-'], { input: line })).out).toContain('1 were there as they are.')
  })

  test('a project that is not there takes nothing', async () => {
    await save('stays')
    const { out } = await home.run(['memory', 'export'], { cwd: here })
    const taken = await home.run(['memory', 'import', '-', '--project', 'mistyped'], { cwd: here, input: out })
    expect(taken).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is not a folder that is there') })
  })

  test('what belongs to a project can be taken into another', async () => {
    await save('moves')
    const { out } = await home.run(['memory', 'export'], { cwd: here })
    await using other = await TestHome.create()
    const moved = other.file('clone')
    await mkdir(moved)
    const raw = out.replaceAll('<home>', home.path)
    expect(
      await other.run(['memory', 'import', '-', '--project', 'clone'], { cwd: other.path, input: raw }),
    ).toMatchObject({
      code: 0,
      out: 'Added 1, replaced 0, 0 were there as they are.\n',
    })
    expect((await other.run(['memory', 'list'], { cwd: moved })).out).toContain('moves')
  })
})

test('Ctrl-C ends an import that waits for more, and what was taken stays', async () => {
  const io = home.io({ cwd: here })
  const ended = main(['memory', 'import', '-'], io)
  const item = {
    kind: 'checkpoint',
    id: 'aaaa-1',
    scope: 'shared',
    text: 'x',
    tags: [],
    data: {},
    createdAt: 1,
    updatedAt: 1,
  }
  const lines = Array.from({ length: 600 }, (_, index) => JSON.stringify({ ...item, id: `aaaa-${index}` }))
  io.stdin.write(`${lines.join('\n')}\n`)
  // The first batch is in the store once it can be seen there.
  await waitFor(async () => (await json(['memory', 'list', '--all'])).total >= 500)
  io.interrupt({ kind: 'signal', signal: 'SIGINT' })
  expect(await ended).toBe(130)
  expect((await json(['memory', 'list', '--all'])).total).toBe(500)
})

test('Ctrl-C while the memory is asked ends the command as Ctrl-C does', async () => {
  await save('first')
  const io = home.io({ cwd: here })
  io.interrupt({ kind: 'signal', signal: 'SIGINT' })
  expect(await main(['memory', 'list'], io)).toBe(130)
})

test('a home in which nothing can be kept is told as that, with what to look at', async () => {
  await writeFile(home.file('data'), 'no folder')
  const { code, err } = await home.run(['memory', 'list'])
  expect(code).toBe(69)
  expect(err).toContain('The store <home>/data/store.db cannot be opened')
  expect(err).toContain('check who owns both')
})

test('eval needs an encoder, and says how to get one', async () => {
  const { code, err } = await home.run(['memory', 'eval'])
  expect(code).toBe(2)
  expect(err).toContain('No encoder is configured')
  expect(err).toContain('docs/memory-encoders.md')
})

const FILE = `---
title: Deploy to staging
description: Puts it on staging
version: 1.0.0
author: ada
category: release
tags: ops, "x
---

1. Build.
`

describe('skill', () => {
  const list = async () => (await json(['skill', 'list'])).skills

  test('is made, shown, changed with its history, and deleted', async () => {
    const made = await home.run(['skill', 'new', 'Deploy', '--file', '-'], { input: FILE })
    expect(made.out).toContain('Made the skill deploy-to-staging 1.0.0.')
    const { out: shown } = await home.run(['skill', 'show', 'Deploy to staging'])
    expect(shown).toBe(FILE)
    const edit = (text: string) => home.run(['skill', 'edit', 'deploy-to-staging', '-f', '-'], { input: text })
    expect((await edit(shown.replace('Build', 'Build twice'))).out).toContain('to 1.0.1; 1.0.0 is kept')
    expect((await edit(shown.replace('version: 1.0.0', 'version: 0.9.0'))).err).toContain('not above 1.0.1')
    expect((await edit('no fence')).err).toContain('The first line must be ---')
    const problems = await edit('---\ntitel: x\n---\n')
    expect(problems).toMatchObject({ code: 2, err: expect.stringContaining('"titel: x" is none of title') })
    expect(problems.err).toContain('there is no content below')
    expect((await home.run(['skill', 'history', 'deploy-to-staging'])).out).toMatch(/^1\.0\.1 +now\n1\.0\.0 +until/)
    expect(await list()).toMatchObject([{ name: 'deploy-to-staging', version: '1.0.1', tags: ['ops', '"x'] }])
    expect((await home.run(['skill', 'show', 'nobody'])).err).toContain('switchboard skill list shows those')
    expect((await home.run(['skill', 'delete', 'deploy-to-staging'])).code).toBe(2)
    expect((await home.run(['skill', 'delete', 'deploy-to-staging', '--yes'])).out).toContain('2 versions')
    expect(await list()).toEqual([])
  })

  test.skipIf(process.platform === 'win32')(
    'is written in the editor, and edited again when it cannot be taken; what was written is kept',
    async () => {
      // Wrong the first time, right the second.
      const editor = home.file('editor.sh')
      const script = `#!/bin/sh
if [ -e "${home.path}/again" ]; then printf '%s' "$(cat "${home.path}/text")" > "$1"; else touch "${home.path}/again"; echo wrong > "$1"; fi
stat -c %a "$1" > "${home.path}/mode" 2>/dev/null || true
`
      await writeFile(editor, script)
      await chmod(editor, 0o755)
      await writeFile(home.file('text'), FILE)
      const run = async (answer: string) => {
        const io = home.io({ isTTY: true, env: { EDITOR: `${editor} `, HOME: home.path } })
        const ended = main(['skill', 'new', 'Deploy'], io)
        io.stdin.write(`${answer}\n`)
        return { code: await ended, err: io.stderr.plain, out: io.stdout.plain }
      }
      const refused = await run('n')
      expect(refused.code).toBe(2)
      const kept = /What you wrote is in (\S+): /.exec(refused.err)?.[1] ?? ''
      expect(await readFile(kept, 'utf8')).toBe('wrong\n')
      expect(await list()).toEqual([])
      await rm(dirname(kept), { recursive: true })
      await rm(home.file('again'))
      expect(await run('y')).toMatchObject({ code: 0, out: expect.stringContaining('Made the skill') })
      if (process.platform === 'linux') expect((await readFile(home.file('mode'), 'utf8')).trim()).toBe('600')
      expect(await list()).toHaveLength(1)
      const missing = await home.run(['skill', 'edit', 'deploy-to-staging'], {
        isTTY: true,
        env: { EDITOR: 'no-such-editor' },
      })
      expect(missing.err).toContain('could not be used: it was not found')
      expect(missing.err).toContain('Set VISUAL or EDITOR')
      expect((await home.run(['skill', 'edit', 'deploy-to-staging'])).err).toContain('no terminal to edit it in')
      const same = await home.run(['skill', 'edit', 'deploy-to-staging'], { isTTY: true, env: { EDITOR: 'true' } })
      expect(same).toMatchObject({ code: 0, out: 'Nothing was changed.\n' })
    },
  )
})
