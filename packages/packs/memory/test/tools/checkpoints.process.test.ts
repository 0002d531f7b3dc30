import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRepository, git } from '../helpers/git-repository.ts'
import { openMemoryBench } from '../helpers/memory-bench.ts'

const FILES = { 'kept.txt': 'one', 'edited.txt': 'one' }

test('what was saved is had again without an id, in at most 700 bytes', async () => {
  await using bench = await openMemoryBench()
  const long = {
    summary: 's'.repeat(500),
    description: 'd'.repeat(5_000),
    context: { test: 'c'.repeat(1_000), next: 'n' },
  }
  await bench.call('checkpoint_save', { summary: 'older' }, bench.folder)
  const saved = await bench.call('checkpoint_save', long, bench.folder)
  const resumed = await bench.call('checkpoint_resume', {}, bench.folder)
  expect(resumed.data).toMatchObject({ id: saved.data.id, summary: long.summary, context: long.context })
  expect(Buffer.byteLength(resumed.text)).toBeLessThanOrEqual(700)
  expect(resumed.text).toContain('level full')
  const full = await bench.call('checkpoint_resume', { level: 'full' }, bench.folder)
  expect(full.text).toContain(long.description)
  expect(full.text).toContain(`test: ${long.context.test}`)
  const short = await bench.call('checkpoint_resume', { level: 'summary' }, bench.folder)
  expect(short.text).not.toContain('test:')
})

test('a short context is told whole', async () => {
  await using bench = await openMemoryBench()
  const context = { test: 'npm test -- parser', decision: 'errors are values' }
  await bench.call('checkpoint_save', { summary: 'Parser done', description: 'Next: messages', context }, bench.folder)
  const { text } = await bench.call('checkpoint_resume', {}, bench.folder)
  expect(text).toMatch(
    /^[0-9a-z]{12} \(just now\): Parser done\ntest: npm test -- parser\ndecision: errors are values\nNext: messages$/,
  )
})

test('an id may be given by how it begins, as long as one begins so', async () => {
  await using bench = await openMemoryBench()
  const { data } = await bench.call('checkpoint_save', { summary: 'one' }, bench.folder)
  const id = String(data.id)
  expect((await bench.call('checkpoint_resume', { id: id.slice(0, 6) }, bench.folder)).data.id).toBe(id)
  expect((await bench.call('checkpoint_resume', { id: id.slice(0, 3) }, bench.folder)).code).toBe('E_ID_NOT_FOUND')
  expect((await bench.call('checkpoint_resume', { id: 'nothing' }, bench.folder)).code).toBe('E_ID_NOT_FOUND')
})

test('a checkpoint is found by its words, and an empty answer says why', async () => {
  await using bench = await openMemoryBench()
  const empty = await bench.call('checkpoint_search', { query: 'parser' }, bench.folder)
  expect(empty.text).toContain('No checkpoints are stored for this project yet')
  const tags = ['ci']
  await bench.call('checkpoint_save', { summary: 'the flaky parser test', tags }, bench.folder)
  await bench.call(
    'checkpoint_save',
    { summary: 'a lexer for strings', context: { file: 'src/lexer.ts' } },
    bench.folder,
  )
  const { data, text } = await bench.call('checkpoint_search', { query: 'parser' }, bench.folder)
  expect(data.results).toMatchObject([{ summary: 'the flaky parser test', matched: 'text' }])
  expect(text).toMatch(/^[0-9a-z]{12} the flaky parser test \(just now, matched: text\)$/)
  const byContext = await bench.call('checkpoint_search', { query: 'src/lexer.ts' }, bench.folder)
  expect(byContext.data.results).toMatchObject([{ summary: 'a lexer for strings' }])
  const other = await bench.call('checkpoint_search', { query: 'kubernetes' }, bench.folder)
  expect(other.text).toContain('Nothing matched among 2 checkpoints')
  const tagged = await bench.call('checkpoint_search', { query: 'parser', tags: ['none'] }, bench.folder)
  expect(tagged.text).toContain('There are no checkpoints with tags: none')
})

test('checkpoints are listed in pages, the newest first', async () => {
  await using bench = await openMemoryBench()
  expect((await bench.call('checkpoint_list', {}, bench.folder)).text).toContain('No checkpoints are stored')
  for (const summary of ['one', 'two', 'three']) await bench.call('checkpoint_save', { summary }, bench.folder)
  const { data, text } = await bench.call('checkpoint_list', { limit: 2 }, bench.folder)
  expect(data).toMatchObject({ total: 3, limit: 2, offset: 0, checkpoints: [{ summary: 'three' }, { summary: 'two' }] })
  expect(text).toContain('1 more: offset 2')
  const rest = await bench.call('checkpoint_list', { limit: 2, offset: 2 }, bench.folder)
  expect(rest.data.checkpoints).toMatchObject([{ summary: 'one' }])
  const beyond = await bench.call('checkpoint_list', { offset: 9 }, bench.folder)
  expect(beyond.text).toBe('There are 3 checkpoints, none behind offset 9.')
})

test('a secret is never stored, and the agent is told', async () => {
  await using bench = await openMemoryBench()
  const token = `ghp_${'a1B2c3D4'.repeat(4)}`
  const summary = `pushed with ${token}`
  const saved = await bench.call('checkpoint_save', { summary, context: { env: 'DB_PASSWORD=hunter22' } }, bench.folder)
  expect(saved.text).toContain('Masked before it was stored: GitHub token, environment variable.')
  const full = await bench.call('checkpoint_resume', { level: 'full' }, bench.folder)
  expect(JSON.stringify([full.text, full.data])).not.toMatch(/ghp_|hunter22/)
  expect(full.text).toContain('pushed with [masked]')
})

test('what is hidden in a text is written out before anybody else reads it', async () => {
  await using bench = await openMemoryBench()
  await bench.call('checkpoint_save', { summary: 'done\u202e \u{e0041}' }, bench.folder)
  const { data, text } = await bench.call('checkpoint_resume', {}, bench.folder)
  expect(data.summary).toBe('done\\u202e \\udb40\\udc41')
  expect(text).not.toMatch(/[\u202e\u{e0041}]/u)
})

test('more than fits is refused with the number', async () => {
  await using bench = await openMemoryBench()
  const context = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))
  const many = await bench.call('checkpoint_save', { summary: 's', context }, bench.folder)
  expect(many).toMatchObject({ code: 'invalid_arguments' })
  expect(many.text).toContain('at most 50 keys, not 51')
  const long = await bench.call('checkpoint_save', { summary: 's'.repeat(501) }, bench.folder)
  expect(long.code).toBe('invalid_arguments')
  const value = await bench.call('checkpoint_save', { summary: 's', context: { a: 'v'.repeat(1_001) } }, bench.folder)
  expect(value.code).toBe('invalid_arguments')
})

describe('by itself a checkpoint says', () => {
  test('branch, commit and changed files', async () => {
    await using bench = await openMemoryBench()
    const folder = join(bench.folder, 'project')
    await createRepository(folder, 'trunk', FILES)
    await writeFile(join(folder, 'edited.txt'), 'another length')
    await writeFile(join(folder, 'new.txt'), '')
    await writeFile(join(folder, 'staged.txt'), '')
    git(folder, 'add', 'staged.txt')
    // Touched, as an installation or a copy does it, and not changed.
    await utimes(join(folder, 'kept.txt'), 1, 1)
    await bench.call('checkpoint_save', { summary: 'half way' }, join(folder, '.'))
    const { data, text } = await bench.call('checkpoint_resume', {}, folder)
    const commit = git(folder, 'rev-parse', 'HEAD')
    expect(data.facts).toEqual({ branch: 'trunk', commit, changed: ['edited.txt', 'new.txt', 'staged.txt'] })
    expect(text).toContain(`on trunk at ${commit.slice(0, 9)}; 3 changed files: edited.txt, new.txt, staged.txt`)
  })

  test('the branch of a repository without a commit', async () => {
    await using bench = await openMemoryBench()
    git(bench.folder, 'init', '-q', '-b', 'fresh')
    await bench.call('checkpoint_save', { summary: 'begun' }, bench.folder)
    const { data } = await bench.call('checkpoint_resume', {}, bench.folder)
    expect(data.facts).toMatchObject({ branch: 'fresh' })
    expect(data.facts).not.toHaveProperty('commit')
  })

  test('the mode of the window, and what stands in other packs', async () => {
    const services = { modeOf: () => 'review', standing: () => ['s1 stopped at app.js:3'] }
    await using bench = await openMemoryBench({ services })
    await bench.call('checkpoint_save', { summary: 'half way' }, bench.folder)
    const { text } = await bench.call('checkpoint_resume', {}, bench.folder)
    expect(text).toContain('mode review; s1 stopped at app.js:3')
  })

  test('nothing of a folder that is no repository', async () => {
    await using bench = await openMemoryBench()
    await bench.call('checkpoint_save', { summary: 'half way' }, bench.folder)
    expect((await bench.call('checkpoint_resume', {}, bench.folder)).data.facts).toEqual({})
  })

  test('and runs nothing that a repository names', async () => {
    await using bench = await openMemoryBench()
    const folder = join(bench.folder, 'hostile')
    await createRepository(folder, 'trunk', FILES)
    const trap = `touch '${join(bench.folder, 'sprung')}'; cat`
    const settings = {
      'core.fsmonitor': trap,
      'core.sshCommand': trap,
      'core.pager': trap,
      'core.editor': trap,
      'filter.trap.clean': trap,
      'filter.trap.smudge': trap,
      'filter.trap.process': trap,
      'diff.external': trap,
      'diff.trap.textconv': trap,
      'remote.origin.url': `ext::sh -c "${trap}"`,
      'remote.origin.promisor': 'true',
      'extensions.partialClone': 'origin',
      'core.repositoryFormatVersion': '1',
    }
    await writeFile(join(folder, '.gitattributes'), '* filter=trap diff=trap\n')
    const hook = join(folder, '.git', 'hooks', 'post-index-change')
    await writeFile(hook, `#!/bin/sh\n${trap}\n`, { mode: 0o755 })
    await writeFile(join(folder, 'edited.txt'), 'two')
    for (const [key, value] of Object.entries(settings)) git(folder, 'config', key, value)
    await rm(join(bench.folder, 'sprung'), { force: true })
    await bench.call('checkpoint_save', { summary: 'looked at it' }, folder)
    const { data } = await bench.call('checkpoint_resume', {}, folder)
    expect(data.facts).toMatchObject({ branch: 'trunk', changed: ['.gitattributes', 'edited.txt'] })
    expect(await readdir(bench.folder)).not.toContain('sprung')
  })
})

test('a summary of blanks alone is not taken', async () => {
  await using bench = await openMemoryBench()
  const { code, text } = await bench.call('checkpoint_save', { summary: ' \n' }, bench.folder)
  expect(code).toBe('invalid_arguments')
  expect(text).toContain('summary must say something')
})
