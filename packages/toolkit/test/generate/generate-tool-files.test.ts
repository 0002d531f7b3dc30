import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import type { Tool } from '@switchboard/protocol/mcp'
import { silentLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import {
  buildManifests,
  generatePack,
  generateToolFiles,
  MetaError,
  readPack,
  toManifest,
} from '../../src/generate/index.ts'
import { createPack, type PackManifest, type ToolFunctions } from '../../src/index.ts'
import { callTool } from '../helpers/small-pack.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/small-pack', import.meta.url))
const CLOCK = 'packages/packs/clock'
const DAY = `alias: day.of-week
category: day
summary: Tell the weekday of a date
params:
  date: {type: string, required: true, pattern: "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\d$"}
result: query
timeout: 1s
safety: {read_only: true, destructive: false, idempotent: true}
llm: {next: [time_convert]}
`
const DAY_CODE = `export function run({ date }: { date: string }) {
  return { data: { day: new Date(date).getUTCDay() } }
}
`

const cleanups: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function copyFixture(): Promise<string> {
  const directory = await createTemporaryDirectory()
  cleanups.push(() => directory.remove())
  cpSync(FIXTURE, directory.path, { recursive: true })
  return directory.path
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function problemsOf(root: string): string[] {
  try {
    generateToolFiles(root)
    return []
  } catch (error) {
    if (!(error instanceof MetaError)) throw error
    return error.message.split('\n').map((line) => line.trim())
  }
}

describe('the generated files', () => {
  it('of the fixture are current, and so its types are checked with ours', () => {
    for (const { path, content } of generatePack(readPack(FIXTURE, CLOCK))) {
      expect(readFileSync(join(FIXTURE, path), 'utf8'), path).toBe(content)
    }
  })

  it('are the same whatever order the file system has', async () => {
    const root = await copyFixture()
    write(root, `${CLOCK}/src/a/day.meta.yaml`, DAY)
    write(root, `${CLOCK}/src/a/day.ts`, DAY_CODE)
    const first = generateToolFiles(root)
    rmSync(join(root, CLOCK, 'src/tools'), { recursive: true })
    cpSync(join(FIXTURE, CLOCK, 'src/tools'), join(root, CLOCK, 'src/tools'), { recursive: true })
    expect(generateToolFiles(root)).toEqual(first)
  })

  it('are none for a folder that is no pack, but for the schemas of editors', async () => {
    const root = await copyFixture()
    rmSync(join(root, CLOCK, 'src/pack.yaml'))
    expect(buildManifests(root)).toEqual([])
    expect(generateToolFiles(root).map(({ path }) => path)).toEqual([
      'schema/tool.schema.json',
      'schema/pack.schema.json',
    ])
  })
})

it('a pair that is added to a pack is listed and called with nothing else touched', async () => {
  const root = await copyFixture()
  // A pack finds the toolkit as any package does.
  mkdirSync(join(root, 'node_modules/@switchboard'), { recursive: true })
  symlinkSync(
    fileURLToPath(new URL('../..', import.meta.url)),
    join(root, 'node_modules/@switchboard/toolkit'),
    'junction',
  )
  write(root, `${CLOCK}/src/tools/day.meta.yaml`, DAY)
  write(root, `${CLOCK}/src/tools/day.ts`, DAY_CODE)
  for (const { path, content } of [...generateToolFiles(root), ...buildManifests(root)]) write(root, path, content)
  const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(root, CLOCK, 'src/generated', name)).href)
  const { manifest }: { manifest: PackManifest } = await load('manifest.ts')
  const { tools }: { tools: ToolFunctions<object> } = await load('tools.ts')
  const pack = createPack({ name: 'clock', manifest, tools, host: {}, log: silentLogger, strict: true })
  expect(pack.catalog().tools.map(({ name }: Tool) => name)).toEqual(['day_of_week', 'time_convert'])
  expect((await callTool(pack, 'day_of_week', { date: '2026-07-28' })).envelope.data).toEqual({ day: 2 })
  expect((await callTool(pack, 'time_to', { time: '23:15', hours: 2, style: 'long' })).text).toBe('It is 01:15 there.')
  expect((await callTool(pack, 'time_convert', { time: '99:15', hours: 2 })).text).toBe(
    '[E_NO_SUCH_TIME] There is no 99:15 on a clock. Give hours from 00 to 23 and minutes from 00 to 59.',
  )
  expect(readFileSync(join(root, 'docs/clock-tools.md'), 'utf8')).toContain(
    '| `day_of_week` | Tell the weekday of a date |',
  )
})

it('a manifest is the same when it is read back, whatever quotes and signs it holds', async () => {
  const root = await copyFixture()
  write(
    root,
    `${CLOCK}/guides/signs.md`,
    "---\nid: signs\ntitle: It's\nsummary: S\n---\na 'b' \"c\" \\n \\' `d` \u2028 é\n",
  )
  const [file] = buildManifests(root)
  const text = /export const manifest: PackManifest = (JSON\.parse\(.*\))/s.exec(file?.content ?? '')?.[1] ?? ''
  expect(file?.path).toBe(`${CLOCK}/src/generated/manifest.ts`)
  expect(runInNewContext(text)).toEqual(toManifest(readPack(root, CLOCK)))
})

it('definitions and common codes of a pack reach its types, its manifest and its page', async () => {
  const root = await copyFixture()
  write(
    root,
    `${CLOCK}/src/pack.yaml`,
    'errors: [{code: E_BUSY, retryable: true, hint: Wait.}]\ndefinitions:\n  Day: {description: One day, type: object, properties: {day: {type: integer}}, required: [day]}\n',
  )
  write(root, `${CLOCK}/src/tools/day.meta.yaml`, `${DAY}data: {$ref: "#/$defs/Day"}\n`)
  write(root, `${CLOCK}/src/tools/day.ts`, DAY_CODE)
  const files = new Map(generateToolFiles(root).map(({ path, content }) => [path, content]))
  expect(files.get(`${CLOCK}/src/generated/types.ts`)).toContain(
    '/** One day */\nexport type Day = {\n  readonly day: number\n}\n',
  )
  expect(files.get(`${CLOCK}/src/generated/types.ts`)).toContain('export type DayOfWeekData = Day\n')
  expect(toManifest(readPack(root, CLOCK))).toMatchObject({
    commonErrors: [{ code: 'E_BUSY' }],
    definitions: { Day: { type: 'object' } },
  })
  const page = files.get('docs/clock-tools.md') ?? ''
  expect(page).toContain('- `E_BUSY` ↻: Wait.')
  expect(page).toContain('Answers with `Day`.')
  expect(page).toContain('type Day = {\n  day: number\n}')
})

describe('problems of a pack', () => {
  it('of several files come at once, each with its place', async () => {
    const root = await copyFixture()
    write(root, `${CLOCK}/src/tools/lonely.meta.yaml`, DAY.replace('result: query', 'result: qery'))
    write(root, `${CLOCK}/src/tools/mute.meta.yaml`, DAY)
    write(root, `${CLOCK}/src/tools/mute.ts`, 'export const ran = 1\n')
    write(root, `${CLOCK}/guides/bad.md`, '---\nid: other\ntitle: T\nsumary: S\n---\n')
    expect(problemsOf(root)).toEqual([
      '6 problems in the declarations of tools:',
      `${CLOCK}/src/tools/lonely.meta.yaml:1:1 has no lonely.ts beside it: write one that exports the function run`,
      `${CLOCK}/src/tools/lonely.meta.yaml:6:9 result: is the string "qery". Expected one of "action", "query", "waitable". Did you mean "query"?`,
      `${CLOCK}/src/tools/mute.meta.yaml:1:1 has mute.ts beside it, which does not export the function run`,
      `${CLOCK}/guides/bad.md:4:1 sumary: unknown key. Expected a key of a guide: id, title, summary, tags. Did you mean "summary"?`,
      `${CLOCK}/guides/bad.md:2:1 the key "summary" is missing. Expected one sentence for the list, of at most 200 characters.`,
      `${CLOCK}/guides/bad.md:2:1 has no text below its front matter`,
    ])
  })

  it('that lie between two files name both', async () => {
    const root = await copyFixture()
    const day = DAY.replace('day.of-week', 'time.to').replace('time_convert', 'time_covert')
    write(root, `${CLOCK}/src/tools/day.meta.yaml`, day.replace('category', 'aliases: [time.convert]\ncategory'))
    write(root, `${CLOCK}/src/tools/day.ts`, DAY_CODE)
    expect(problemsOf(root)).toEqual([
      '3 problems in the declarations of tools:',
      `${CLOCK}/src/tools/day.meta.yaml:2:11 aliases[0]: the tool name time_convert is taken by ${CLOCK}/src/tools/time-convert.meta.yaml`,
      `${CLOCK}/src/tools/time-convert.meta.yaml:2:11 aliases[0]: the tool name time_to is taken by ${CLOCK}/src/tools/day.meta.yaml`,
      `${CLOCK}/src/tools/day.meta.yaml:10:14 llm.next[0]: time_covert is not a tool of this pack; did you mean "time_convert"?`,
    ])
  })

  it('are names of members of data that are no camelCase, wherever they stand', async () => {
    const root = await copyFixture()
    const data =
      'data:\n  type: object\n  properties:\n    week_day: {enum: [a_b]}\n    days: {type: array, items: {anyOf: [{$ref: "#/$defs/Day"}, {properties: {Day: {}}}]}}\n'
    write(
      root,
      `${CLOCK}/src/pack.yaml`,
      'definitions:\n  Day: {type: object, properties: {of_week: {type: integer}}}\n',
    )
    write(root, `${CLOCK}/src/tools/day.meta.yaml`, DAY + data)
    write(root, `${CLOCK}/src/tools/day.ts`, DAY_CODE)
    const places = problemsOf(root).map((text) => /(\S+) must have a name in camelCase/.exec(text)?.[1])
    expect(places.slice(1)).toEqual([
      'data.properties.week_day:',
      'data.properties.days.items.anyOf[1].properties.Day:',
      'definitions.Day.properties.of_week:',
    ])
  })

  it('of pack.yaml are told with those of the tools, and definitions must be there for somebody', async () => {
    const root = await copyFixture()
    write(root, `${CLOCK}/src/pack.yaml`, 'definitions:\n  Lost: {type: string}\n  TimeConvertData: {type: string}\n')
    expect(problemsOf(root).slice(1)).toEqual([
      `${CLOCK}/src/pack.yaml:2:3 definitions.Lost: is referred to by nothing: remove it`,
      `${CLOCK}/src/pack.yaml:3:3 definitions.TimeConvertData: is the name of the types of a tool as well: choose another`,
    ])
    write(root, `${CLOCK}/src/pack.yaml`, 'definitons: {}\n')
    expect(problemsOf(root)[1]).toBe(
      `${CLOCK}/src/pack.yaml:1:1 definitons: unknown key. Expected a key of a pack: errors, internal_errors, definitions. Did you mean "definitions"?`,
    )
  })

  it('also lie between declarations and code: what is thrown is declared', async () => {
    const root = await copyFixture()
    write(root, `${CLOCK}/src/tools/day.meta.yaml`, DAY)
    write(root, `${CLOCK}/src/tools/day.ts`, `${DAY_CODE}throw new ToolError('E_LATE', 'late')\n`)
    write(root, `${CLOCK}/src/other.ts`, "throw new Error('E_OTHER')\n")
    expect(problemsOf(root).slice(1)).toEqual([
      `${CLOCK}/src/tools/day.ts:4:7 throws E_LATE, which ${CLOCK}/src/tools/day.meta.yaml does not declare`,
      `${CLOCK}/src/other.ts:1:7 throws E_OTHER, which no tool of the pack declares`,
    ])
  })

  it('of a guide without front matter, or under another name, are told', async () => {
    const root = await copyFixture()
    write(root, `${CLOCK}/guides/plain.md`, '# Plain\n')
    write(root, `${CLOCK}/guides/renamed.md`, '---\nid: original\ntitle: T\nsummary: S\n---\ntext\n')
    expect(problemsOf(root).slice(1)).toEqual([
      `${CLOCK}/guides/plain.md:1:1 must begin with front matter between two lines "---"`,
      `${CLOCK}/guides/renamed.md:2:1 id: is original, but the file is called renamed.md`,
    ])
  })
})
