/** The index of a repository, by the real program: its thread and its grammars lie beside the bundle. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createTemporaryDirectory, LineAgent, startProgram, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAEMON_ENV, DaemonHome } from '../daemon-home.ts'

let daemon: DaemonHome
let project: TemporaryDirectory

beforeEach(async () => {
  daemon = await DaemonHome.create()
  project = await createTemporaryDirectory()
})

afterEach(async () => {
  await daemon.dispose()
  await project.remove()
})

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(project.file(path)), { recursive: true })
    writeFileSync(project.file(path), text)
  }
}

/** In the folder of the project, as a window is. */
async function call(home: DaemonHome, tool: string, args: object): Promise<Record<string, unknown>> {
  const program = startProgram(['call', tool, JSON.stringify(args), '--json'], {
    home: home.path,
    env: DAEMON_ENV,
    cwd: project.path,
    stdin: 'ended',
  })
  expect(await program.ended, program.err()).toBe(0)
  return JSON.parse(program.out())
}

/** Every piece that is stored, in an order that does not depend on when it was. */
async function readPieces(home: DaemonHome): Promise<string[]> {
  const file = home.home.file('all.jsonl')
  await home.json(['export', file])
  const lines = (await readFile(file, 'utf8')).trim().split('\n').slice(1)
  const items = lines.map((line) => JSON.parse(line).item)
  return items
    .flatMap(({ id, kind, text, data }) => (kind === 'chunk' ? [JSON.stringify([id, text, data])] : []))
    .sort()
}

test('the bundled program has the grammars of all languages', async () => {
  const sources: Record<string, string> = {
    ts: 'export function findTs() {}',
    tsx: 'export const findTsx = () => <br />',
    js: 'function findJs() {}',
    py: 'def findPy():\n    pass',
    go: 'package a\n\nfunc findGo() {}',
    rs: 'fn findRs() {}',
    java: 'class findJava {}',
    c: 'int findC(void) { return 0; }',
    cpp: 'class findCpp {};',
    rb: 'class FindRb\nend',
  }
  write(Object.fromEntries(Object.entries(sources).map(([ending, text]) => [`a.${ending}`, text])))
  await call(daemon, 'index_repository', { path: project.path })
  const found = JSON.stringify(await call(daemon, 'repository_search', { query: 'find', limit: 20 }))
  for (const name of Object.values(sources).map((text) => /find\w+/i.exec(text)?.[0])) {
    expect(found).toMatch(new RegExp(`"symbol":"${name}","kind":"(?:function|class)"`))
  }
})

test('a daemon that is killed in the middle of an index goes on, and ends with what another makes at once', async () => {
  write(
    Object.fromEntries(
      Array.from({ length: 1_500 }, (_, at) => [
        `src/${at % 40}/file${at}.ts`,
        `export function function${at}() {\n${`  step(${at})\n`.repeat(30)}}\n\nexport class Class${at} {\n${'  a() { return 1 }\n'.repeat(40)}}\n`,
      ]),
    ),
  )
  const pid = await daemon.up()
  const front = startProgram(['mcp'], { home: daemon.path, env: DAEMON_ENV, cwd: project.path })
  const agent = new LineAgent(front.child.stdout, front.child.stdin, { describe: front.err })
  await agent.initialize()
  agent.send({
    id: 'index',
    method: 'tools/call',
    params: { name: 'index_repository', arguments: { path: project.path }, _meta: { progressToken: 'p' } },
  })
  await agent.waitForMethod('notifications/progress')
  process.kill(pid, 'SIGKILL')
  front.child.stdin.end()
  await front.ended
  const rest = await call(daemon, 'index_repository', { path: project.path })
  expect(JSON.stringify(rest)).toContain('"filesIndexed":1500')
  const other = await DaemonHome.create()
  try {
    await other.up()
    await call(other, 'index_repository', { path: project.path })
    const [resumed, whole] = [await readPieces(daemon), await readPieces(other)]
    expect(whole.length).toBeGreaterThan(1_500)
    expect(resumed).toEqual(whole)
  } finally {
    await other.dispose()
  }
})
