import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OrphanGuard } from '@switchboard/process'
import { expect, it } from 'vitest'
import { loadEngines } from '../../src/load-engines.ts'
import { compile } from '../contract/compile.ts'
import { type DebugWorkspace, useDebugBench } from '../helpers/debug-bench.ts'
import { type CapabilityRow, formatCapabilities } from './capability-table.ts'
import { runSection } from './run-page.ts'

const bench = useDebugBench()

const PAGE = fileURLToPath(new URL('../../../../../docs/debug.md', import.meta.url))
const CAPABILITIES = /(?<=<!-- capabilities -->\n).*?(?=<!-- \/capabilities -->)/s

/** What a session of each language is started with. */
const PROGRAMS: readonly { language: string; file: string; text: string; build?: readonly string[] }[] = [
  { language: 'node', file: 'a.mjs', text: '1\n' },
  { language: 'typescript', file: 'a.ts', text: '1\n' },
  { language: 'python', file: 'a.py', text: 'pass\n' },
  { language: 'cpp', file: 'a.cpp', text: 'int main() {}\n', build: ['g++', '-g', '-o', 'a', 'a.cpp'] },
  { language: 'rust', file: 'b.rs', text: 'fn main() {}\n', build: ['rustc', '-g', '-o', 'b', 'b.rs'] },
  { language: 'go', file: 'go/a.go', text: 'package main\n\nfunc main() {}\n' },
  { language: 'ruby', file: 'a.rb', text: '1\n' },
]

const LANGUAGES = ['Python', 'JavaScript', 'TypeScript', 'C and C++', 'Rust', 'Go', 'Ruby']

it('puts the true answer in the place of a wrong one, and of one that is missing', { timeout: 60_000 }, async () => {
  const fence = (kind: string, text: string): string => `\`\`\`${kind}\n${text}\n\`\`\`\n`
  const page = (answers: readonly string[]): string =>
    [
      '## Node\n',
      fence('js file=a.mjs', 'const x = 1\nconsole.log(x)'),
      fence('call', 'debug_start {"program": "a.mjs", "breakpoints": [{"path": "a.mjs", "line": 2}]}'),
      ...answers.slice(0, 1).map((text) => fence('answer', text)),
      fence('call', 'debug_evaluate {"expression": "x + 1"}'),
      ...answers.slice(1).map((text) => fence('answer', text)),
    ].join('\n')
  const right = await runSection(page(['wrong', '3']), await bench.createWorkspace({}))
  expect(right).toContain(fence('answer', '2'))
  expect(right).not.toContain('wrong')
  expect(await runSection(page([]), await bench.createWorkspace({}))).toBe(right)
})

it('does in every language what docs/debug.md shows, with the answers that stand there', {
  timeout: 600_000,
}, async () => {
  const page = await readFile(PAGE, 'utf8')
  const sections = page.split(/^(?=## )/m)
  const languages = sections.filter((section) => section.includes('```call')).map((section) => section.split('\n')[0])
  expect(languages).toEqual(LANGUAGES.map((language) => `## ${language}`))
  let text = ''
  for (const section of sections) {
    // Each language has a workspace of its own.
    text += section.includes('```call') ? await runSection(section, await bench.createWorkspace({})) : section
  }
  const rows = await readCapabilities(await bench.createWorkspace({ 'go/go.mod': 'module a\n\ngo 1.19\n' }))
  text = text.replace(CAPABILITIES, () => `${formatCapabilities(rows)}\n`)
  // An example that fails teaches nobody anything.
  expect(text).not.toMatch(/^\[E_/m)
  // With `vitest -u` the page is written anew: look at the difference.
  await expect(text).toMatchFileSnapshot(PAGE)
})

async function readCapabilities(workspace: DebugWorkspace): Promise<CapabilityRow[]> {
  const guard = new OrphanGuard()
  const engines = await loadEngines({ guard })
  const rows: CapabilityRow[] = []
  for (const { language, file, text, build } of PROGRAMS) {
    await workspace.write(file, text)
    if (build !== undefined) await compile(build[0] ?? '', build.slice(1), workspace.root)
    const engine = engines.find((candidate) => candidate.languages.includes(language))
    if (engine === undefined) throw new Error(`there is no engine for ${language}`)
    const program = join(workspace.root, build === undefined ? file : file.replace(/\.\w+$/, ''))
    const session = await engine.start(
      { kind: 'launch', program, args: [], cwd: workspace.root, env: {}, stopOnEntry: false, options: { language } },
      { workspace: workspace.root, signal: new AbortController().signal, log: () => undefined },
    )
    rows.push({ language, debugger: engine.name, capabilities: session.capabilities })
    await session.stop({ kill: true })
  }
  await guard.close()
  return rows
}
