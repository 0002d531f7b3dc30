import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemoryBench } from '../helpers/memory-bench.ts'
import { PAIRS } from '../remediations/error-pairs.ts'

test('every error is met again, first and with the reason, in another project with other paths and lines', async () => {
  await using bench = await openMemoryBench()
  const other = join(bench.folder, 'other')
  await mkdir(other)
  const ids = new Map<string, unknown>()
  for (const { language, one } of PAIRS) {
    const { data } = await bench.call(
      'remediation_save',
      { errorMessage: one, solution: `for ${language}` },
      bench.folder,
    )
    ids.set(language, data.id)
  }
  for (const pair of PAIRS) {
    const { data, text } = await bench.call('remediation_search', { errorMessage: pair.other }, other)
    expect(data.results, pair.language).toMatchObject([
      { id: ids.get(pair.language), solution: `for ${pair.language}`, errorTypeMatch: true },
    ])
    expect(text).toMatch(/score [01]\.\d\d, same type(?:, \d+ of \d+ frames)?, not tried yet/)
    expect(text).toContain(`for ${pair.language}`)
  }
})

test('what fits better comes first, and what does not fit is counted', async () => {
  await using bench = await openMemoryBench()
  const save = (errorMessage: string, solution: string) =>
    bench.call('remediation_save', { errorMessage, solution }, bench.folder)
  await save("ModuleNotFoundError: No module named 'yaml.loader'", 'near')
  await save("ModuleNotFoundError: No module named 'yaml'", 'exact')
  const errorMessage = "ModuleNotFoundError: No module named 'yaml'"
  const all = await bench.call('remediation_search', { errorMessage, minScore: 0 }, bench.folder)
  expect(all.data.results).toMatchObject([{ solution: 'exact', matchScore: 1 }, { solution: 'near' }])
  const none = await bench.call('remediation_search', { errorMessage: "No module named 'numpy'" }, bench.folder)
  expect(none.data).toMatchObject({ results: [], total: 0 })
  expect(none.text).toContain('Nothing fits well enough: 2 remediations')
})

test('an empty answer says why', async () => {
  await using bench = await openMemoryBench()
  const search = (args: object) =>
    bench.call('remediation_search', { errorMessage: 'panic: boom', ...args }, bench.folder)
  expect((await search({})).text).toContain('No remediations are stored')
  await bench.call('remediation_save', { errorMessage: 'KeyError: x1', solution: 's', tags: ['ci'] }, bench.folder)
  expect((await search({})).text).toBe(
    'Nothing matched among 1 remediation. When it is solved, save it with remediation_save.',
  )
  expect((await search({ tags: ['ci'] })).text).toContain('Try other or fewer words, or fewer filters')
  expect((await search({ tags: ['none'] })).text).toContain('There are no remediations with tags: none')
})

test('the same error with the same solution is kept once, however often and at once it is saved', async () => {
  await using bench = await openMemoryBench()
  const errorMessage = 'TypeError: x.load is not a function\n    at main (/a/main.js:1:1)'
  const again = 'TypeError: x.load is not a function\n    at main (/b/c/main.js:99:7)'
  const solution = 'Call it after init().'
  const first = await bench.call('remediation_save', { errorMessage, solution, tags: ['a'] }, bench.folder)
  const saves = Array.from({ length: 8 }, () =>
    bench.call(
      'remediation_save',
      { errorMessage: again, solution: `${solution} `, tags: ['b'], severity: 'high' },
      bench.folder,
    ),
  )
  for (const { data, text } of await Promise.all(saves)) {
    expect(data).toMatchObject({ id: first.data.id, merged: true })
    expect(text).toContain('It is there already')
  }
  const different = await bench.call('remediation_save', { errorMessage, solution: 'Another way.' }, bench.folder)
  expect(different.data).toMatchObject({ merged: false })
  const { data } = await bench.call('remediation_search', { errorMessage }, bench.folder)
  expect(data.total).toBe(2)
  expect(data.results).toContainEqual(
    expect.objectContaining({ id: first.data.id, tags: ['a', 'b'], severity: 'high' }),
  )
})

test('feedback is counted, also by many at once, and decides between two that fit as well', async () => {
  await using bench = await openMemoryBench()
  const errorMessage = 'Error: socket hang up at payments'
  const bad = await bench.call('remediation_save', { errorMessage, solution: 'wait' }, bench.folder)
  const good = await bench.call('remediation_save', { errorMessage, solution: 'raise the limit' }, bench.folder)
  const tell = (id: unknown, worked: boolean) =>
    bench.call('remediation_feedback', { id: String(id).slice(0, 8), worked }, bench.folder)
  await Promise.all([
    tell(good.data.id, true),
    tell(good.data.id, true),
    tell(good.data.id, false),
    tell(bad.data.id, false),
  ])
  const { data, text } = await bench.call('remediation_search', { errorMessage }, bench.folder)
  expect(data.results).toMatchObject([
    { id: good.data.id, worked: 2, failed: 1 },
    { id: bad.data.id, worked: 0, failed: 1 },
  ])
  expect(text).toContain('worked 2 of 3 times')
  expect((await tell('zzzzzzzz', true)).code).toBe('E_ID_NOT_FOUND')
})

test('what is saved for a project is seen there only, and a window without a folder sees what is shared', async () => {
  await using bench = await openMemoryBench()
  const [mine, other] = [join(bench.folder, 'mine'), join(bench.folder, 'other')]
  await mkdir(mine)
  await mkdir(other)
  const errorMessage = 'Error: the ledger is locked by batch 7'
  const own = await bench.call('remediation_save', { errorMessage, solution: 'own', scope: 'project' }, mine)
  await bench.call('remediation_save', { errorMessage, solution: 'for all' }, mine)
  const solutions = async (workspace: string | undefined) => {
    const { data } = await bench.call('remediation_search', { errorMessage }, workspace)
    return (data.results as { solution: string }[]).map(({ solution }) => solution).sort()
  }
  expect(await solutions(mine)).toEqual(['for all', 'own'])
  expect(await solutions(other)).toEqual(['for all'])
  expect(await solutions(undefined)).toEqual(['for all'])
  const feedback = await bench.call('remediation_feedback', { id: String(own.data.id), worked: true }, other)
  expect(feedback.code).toBe('E_ID_NOT_FOUND')
  const nowhere = await bench.call('remediation_save', { errorMessage, solution: 's', scope: 'project' })
  expect(nowhere.code).toBe('E_NO_PROJECT')
  const outside = await bench.call('remediation_save', { errorMessage, solution: 's', projectPath: mine }, other)
  expect(outside.code).toBe('E_OUTSIDE_WORKSPACE')
})

test('a secret in an error is masked before it is stored, and found without it', async () => {
  await using bench = await openMemoryBench()
  const errorMessage = 'OperationalError: cannot connect to postgres://app:s3cret@db.local/main'
  const saved = await bench.call('remediation_save', { errorMessage, solution: 'Start the tunnel.' }, bench.folder)
  expect(saved.text).toContain('Masked before it was stored: password in an address.')
  const { data } = await bench.call('remediation_search', { errorMessage }, bench.folder)
  expect(data.results).toMatchObject([{ matchScore: 1 }])
  expect(JSON.stringify(data)).not.toContain('s3cret')
})

test('words of SQL and of the search engine, and all of Unicode, are data', async () => {
  await using bench = await openMemoryBench()
  const errorMessage = 'SyntaxError: near "DROP TABLE items; --" AND NOT (x OR NEAR/3 "*") ünïcode 😀 \u0000 𝒳'
  await bench.call(
    'remediation_save',
    { errorMessage, solution: "'); DROP TABLE memory_remediations_items; --" },
    bench.folder,
  )
  const { data } = await bench.call('remediation_search', { errorMessage }, bench.folder)
  expect(data.results).toMatchObject([{ matchScore: 1 }])
})

test('a save says by what the error is found again, and takes nothing that says nothing', async () => {
  await using bench = await openMemoryBench()
  const save = (errorMessage: string, solution = 's') =>
    bench.call('remediation_save', { errorMessage, solution }, bench.folder)
  expect((await save("error: pathspec 'x' did not match any file")).text).toMatch(/It matches by what it says\.$/)
  const python = 'Traceback (most recent call last):\n  File "/a/b.py", line 1, in main\nKeyError: 1'
  expect((await save(python)).text).toMatch(/It matches by type keyerror, 1 frame\.$/)
  expect(await save(' \n ')).toMatchObject({ code: 'invalid_arguments' })
  expect(await save('KeyError: 2', '\t')).toMatchObject({ code: 'invalid_arguments' })
})
