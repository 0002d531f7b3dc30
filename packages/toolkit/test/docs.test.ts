import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listTables } from '@switchboard/config/file'
import { silentLogger } from '@switchboard/telemetry'
import { describe, expect, it } from 'vitest'
import { findCodeProblems } from '../src/generate/find-code-problems.ts'
import { formatProblem, readPack, readToolMeta, toManifest } from '../src/generate/index.ts'
import { createPack } from '../src/index.ts'
import { REQUIREMENTS } from '../src/manifest/requirements.ts'
import { readPackMeta } from '../src/meta/read-pack-meta.ts'
import { PACK_TABLE, PARAM_TYPES, TOOL_TABLE } from '../src/meta/tool-fields.ts'
import { tools } from './fixtures/small-pack/packages/packs/clock/src/generated/tools.ts'
import { callTool } from './helpers/small-pack.ts'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8').replaceAll('\r\n', '\n')
const page = read('../../../docs/toolkit.md')
const FIXTURE = fileURLToPath(new URL('./fixtures/small-pack', import.meta.url))
const CLOCK = './fixtures/small-pack/packages/packs/clock/src/tools/time-convert'

function fences(language: string): string[] {
  const found = page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))
  return [...found].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

describe('the worked example of docs/toolkit.md', () => {
  const manifest = toManifest(readPack(FIXTURE, 'packages/packs/clock'))
  const pack = createPack({ name: 'clock', manifest, tools, host: {}, log: silentLogger, strict: true })

  it('is the very pair that the tests run', () => {
    expect(fences('yaml')[0]).toBe(read(`${CLOCK}.meta.yaml`))
    expect(fences('ts')[0]).toBe(read(`${CLOCK}.ts`))
  })

  it('answers as the page says', async () => {
    const [request, response] = fences('json').map((text) => JSON.parse(text))
    const { result } = await callTool(pack, request.name, request.arguments)
    expect(result.content).toEqual(response.content)
    expect(result.structuredContent).toMatchObject({ ...response.structuredContent, meta: { tool: 'time_convert' } })
    expect(Object.keys((await callTool(pack, request.name, request.arguments)).envelope.meta ?? {})).toEqual(
      Object.keys(response.structuredContent.meta),
    )
  })

  it('fails as the page says', async () => {
    const wrong = await callTool(pack, 'time_convert', { hours: 99, stile: 'long' })
    const noTime = await callTool(pack, 'time_convert', { time: '99:15', hours: 2 })
    expect(fences('text')[0]).toBe(`${wrong.text}\n${noTime.text}\n`)
  })
})

describe('what docs/toolkit.md says about mistakes and about pack.yaml', () => {
  it('is what the build says of the very example', () => {
    const [, mistake, thrown] = fences('text').map((text) => text.trim())
    const meta = fences('yaml')[0] ?? ''
    const file = 'src/tools/time-convert.meta.yaml'
    const wrong = readToolMeta(file, meta.replace('summary:', 'sumary:'))
    expect((wrong.problems ?? []).map(formatProblem)).toContain(mistake)
    const reading = readToolMeta(file, meta.replace(/^errors:\n.*\n/m, ''))
    if (reading.problems !== undefined) throw new Error('the example must be right without its codes')
    const code = { file: 'src/tools/time-convert.ts', text: fences('ts')[0] ?? '' }
    const problems = findCodeProblems({ tools: [{ ...reading, code }], others: [], common: [], internal: [] })
    expect(problems.map(formatProblem)).toEqual([thrown])
  })

  it('is a pack.yaml that is right, with every key that there is', () => {
    const { problems, definitions } = readPackMeta('src/pack.yaml', fences('yaml')[1] ?? '')
    expect(problems).toEqual([])
    expect(Object.keys(definitions)).toEqual(['Moment'])
    for (const key of Object.keys(PACK_TABLE.fields)) {
      expect(page).toContain(`| \`${key}\` |`)
      expect(fences('yaml')[1]).toMatch(new RegExp(`^${key}:`, 'm'))
    }
  })
})

it('docs/toolkit.md names every key, type and requirement', () => {
  const keys = listTables(TOOL_TABLE).flatMap(({ table }) => Object.keys(table.fields))
  for (const name of [...keys, ...PARAM_TYPES, ...Object.keys(REQUIREMENTS)]) {
    expect(page.includes(`\`${name}\``) || page.includes(name), name).toBe(true)
  }
})
