/**
 * Two projects use every tool of the pack at random. Whatever either of them writes carries its own mark; no answer to one may
 * hold the mark of the other, unless it was shared by design.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { manifest } from '../src/generated/manifest.ts'
import { type MemoryBench, openMemoryBench } from './helpers/memory-bench.ts'

/** Everybody sees them: skills and patterns are the person's, whatever project they were written in. */
const SHARED = /^(?:skill_|troubleshoot|list_patterns)/

interface Party {
  readonly mark: string
  readonly folder: string
  /** Ids that it was given. */
  readonly ids: string[]
}

async function createParty(bench: MemoryBench, name: string, mark: string): Promise<Party> {
  const folder = join(bench.folder, name)
  await mkdir(folder)
  await writeFile(join(folder, `${mark}.ts`), `export function ${mark}() {\n  return 'common words of both'\n}\n`)
  return { mark, folder, ids: [] }
}

/** A value that fits, for each name that tools of the pack take. */
function argumentsFor(tool: (typeof manifest.tools)[number], own: Party, ids: readonly string[], random: SeededRandom) {
  const { properties = {}, required = [] } = tool.input as { properties?: JsonObject; required?: string[] }
  const id = ids[random.below(Math.max(1, ids.length))] ?? 'none'
  const text = `common words of both ${own.mark} ${random.below(1_000)}`
  const values: Record<string, unknown> = {
    id: random.below(2) === 0 ? id : id.slice(0, 5),
    summary: text,
    query: random.below(2) === 0 ? 'common words of both' : `words ${id}`,
    errorMessage: 'KeyError: common words of both',
    solution: text,
    scope: 'project',
    minScore: 0,
    topK: 100,
    limit: 100,
    worked: true,
    level: 'full',
    path: own.folder,
    context: { note: text },
    tags: ['common'],
  }
  const names = Object.keys(properties).filter(
    (name) => name in values && (required.includes(name) || random.below(10) < 6),
  )
  const always = Object.keys(properties).filter((name) => ['scope', 'minScore'].includes(name))
  return Object.fromEntries([...new Set([...names, ...always])].map((name) => [name, values[name]])) as JsonObject
}

describe('project A never sees what is B’s', () => {
  test.each([1, 2, 3])('by any tool, whatever both do (seed %i)', async (seed) => {
    await using bench = await openMemoryBench()
    const random = createSeededRandom(seed)
    const parties = [await createParty(bench, 'a', 'zebrafinch'), await createParty(bench, 'b', 'quokkatail')] as const
    const tools = manifest.tools.filter(({ name }) => !SHARED.test(name))
    expect(tools.length).toBeGreaterThanOrEqual(11)
    const succeeded = new Set<string>()
    for (let step = 0; step < 120; step++) {
      const turn = random.below(2) === 0 ? 0 : 1
      const [own, other] = turn === 0 ? parties : ([parties[1], parties[0]] as const)
      const tool = step < tools.length ? tools[step] : random.pick(tools)
      if (tool === undefined) continue
      const foreign = random.below(10) < 3
      const args = argumentsFor(tool, own, foreign ? other.ids : own.ids, random)
      const answer = await bench.call(tool.name, args, own.folder)
      const said = JSON.stringify([answer.text, answer.data, answer.error])
      expect(said, `${tool.name} ${JSON.stringify(args)}`).not.toContain(other.mark)
      expect(said).not.toContain(other.folder)
      if (foreign && typeof args.id === 'string' && other.ids.some((id) => id.startsWith(String(args.id)))) {
        expect(answer.code, tool.name).toBe('E_ID_NOT_FOUND')
      }
      if (!answer.isError) succeeded.add(tool.name)
      if (typeof answer.data.id === 'string') own.ids.push(answer.data.id)
    }
    expect([...succeeded].sort()).toEqual(tools.map(({ name }) => name).sort())
    for (const own of parties) expect(own.ids.length).toBeGreaterThan(5)
  })

  test.each([
    ['E_PATH_INVALID', (folder: string) => `${folder}/a/../b`],
    ['E_PATH_INVALID', () => 'b'],
    ['E_PATH_INVALID', (folder: string) => join(folder, 'nothing')],
    ['E_OUTSIDE_WORKSPACE', (folder: string) => join(folder, 'b')],
    ['E_OUTSIDE_WORKSPACE', (folder: string) => folder],
    ['E_OUTSIDE_WORKSPACE', (folder: string) => join(folder, 'a', 'link')],
  ])('by a path: %s', async (code, pathOf) => {
    await using bench = await openMemoryBench()
    const [a, b] = [join(bench.folder, 'a'), join(bench.folder, 'b')]
    await mkdir(a)
    await mkdir(b)
    await symlink(b, join(a, 'link'), 'dir')
    await bench.call('checkpoint_save', { summary: 'quokkatail' }, b)
    const tools = manifest.tools.filter(({ input }) => 'projectPath' in ((input.properties ?? {}) as object))
    expect(tools.length).toBeGreaterThanOrEqual(6)
    for (const { name } of tools) {
      const needed: Record<string, JsonObject> = {
        checkpoint_save: { summary: 's' },
        checkpoint_search: { query: 'quokkatail' },
        remediation_save: { errorMessage: 'e', solution: 's', scope: 'project' },
        repository_search: { query: 'quokkatail' },
      }
      const answer = await bench.call(name, { ...needed[name], projectPath: pathOf(bench.folder) }, a)
      expect([name, answer.code]).toEqual([name, code])
      expect(answer.text).not.toContain('quokkatail')
    }
  })

  test('and a window without a folder sees no project at all', async () => {
    await using bench = await openMemoryBench()
    await bench.call('checkpoint_save', { summary: 'quokkatail' }, bench.folder)
    for (const name of ['checkpoint_list', 'checkpoint_resume']) {
      expect((await bench.call(name)).code).toBe('E_NO_PROJECT')
    }
    expect((await bench.call('checkpoint_search', { query: 'quokkatail' })).code).toBe('E_NO_PROJECT')
  })

  test('but every way into a project, and every folder of its repository, is the same project', async () => {
    await using bench = await openMemoryBench()
    const [project, inside] = [join(bench.folder, 'p'), join(bench.folder, 'p', 'src', 'deep')]
    await mkdir(inside, { recursive: true })
    await mkdir(join(project, '.git'))
    await symlink(project, join(bench.folder, 'link'), 'dir')
    await bench.call('checkpoint_save', { summary: 'from inside' }, inside)
    for (const folder of [project, join(bench.folder, 'link'), join(bench.folder, 'link', 'src')]) {
      expect((await bench.call('checkpoint_resume', {}, folder)).data).toMatchObject({ summary: 'from inside' })
    }
    expect((await bench.call('checkpoint_resume', {}, bench.folder)).isError).toBe(true)
  })
})
