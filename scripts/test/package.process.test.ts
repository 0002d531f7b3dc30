/** What `npm run release` makes, installed into an empty prefix and used from an empty home: nothing of the clone, and no network. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  findPackageProgram,
  LineAgent,
  type Program,
  type TemporaryDirectory,
  watchProgram,
} from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packagesBeside } from '../run/bundle.mjs'
import { npmCommand } from '../run/npm.mjs'
import { root } from './workspace.ts'

const EVERYTHING = findPackageProgram(
  '@modelcontextprotocol/server-everything',
  new URL('../../packages/pool/package.json', import.meta.url),
)
const PRETEND = fileURLToPath(new URL('../../packages/cli/test/program/pretend-old.mjs', import.meta.url))

let place: TemporaryDirectory
/** Where npm has put the package, and the file behind its command. */
let installed = ''
let program = ''
/** The package itself. */
let archive = ''

/** As of somebody who has Node and nothing else: no settings of npm's, no cache, no home of ours. */
function bareEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env
  return {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: place.file('home'),
    USERPROFILE: place.file('home'),
    SWITCHBOARD_HTTP_PORT: '0',
    NO_COLOR: '1',
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  }
}

async function runNpm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const npm = npmCommand(process.execPath)
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const child = spawn(npm.command, [...npm.args, ...args, ...quiet], { cwd, env, shell: npm.shell })
  const { ended, err } = watchProgram(child)
  expect(await ended, err()).toBe(0)
}

function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.file('home'),
    env: { ...bareEnvironment(), ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return watchProgram(child)
}

async function run(...args: string[]): Promise<string> {
  const started = start(args)
  started.child.stdin.end()
  return expectSuccess(started)
}

/** The same package under another version, in a folder of its own. */
async function raiseVersion(version: string): Promise<string> {
  const folder = place.file('newer')
  mkdirSync(folder)
  const file = join(folder, `switchboard-${version}.tgz`)
  await runTar(['-xzf', archive, '-C', folder])
  const manifest = join(folder, 'package', 'package.json')
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }))
  await runTar(['-czf', file, '-C', folder, 'package'])
  return file
}

async function runTar(args: readonly string[]): Promise<void> {
  const { ended, err } = watchProgram(spawn('tar', args))
  expect(await ended, err()).toBe(0)
}

async function expectSuccess({ ended, out, err }: Program): Promise<string> {
  expect(await ended, err()).toBe(0)
  return out()
}

beforeAll(async () => {
  place = await createTemporaryDirectory('switchboard-package-')
  for (const folder of ['archive', 'home', 'prefix']) mkdirSync(place.file(folder))
  const release = spawn(process.execPath, [
    join(root, 'scripts/release.mjs'),
    '--dry-run',
    '--out',
    place.file('archive'),
  ])
  const { ended, err } = watchProgram(release)
  expect(await ended, err()).toBe(0)
  const archives = readdirSync(place.file('archive')).sort()
  archive = place.file('archive', archives.find((name) => name.endsWith('.tgz')) ?? '')
  const own = ['--prefix', place.file('prefix'), '--cache', place.file('cache'), '--offline']
  await runNpm(['i', '-g', ...own, archive], place.file('home'), {
    ...bareEnvironment(),
    ...(process.env.npm_execpath === undefined ? { PATH: process.env.PATH } : {}),
  })
  const isWindows = process.platform === 'win32'
  installed = realpathSync(place.file('prefix', ...(isWindows ? [] : ['lib']), 'node_modules', 'switchboard'))
  program = isWindows
    ? join(installed, 'packages', 'cli', 'bin', 'switchboard.mjs')
    : realpathSync(place.file('prefix', 'bin', 'switchboard'))
})
afterAll(async () => {
  await expectNoProcessLeft(place.path, 20_000)
  await place.remove()
})

test('a release has the package, the extension, the change log and checksums of all, and changes nothing in the clone', () => {
  const folder = dirname(archive)
  const names = readdirSync(folder).sort()
  expect(names).toEqual([
    'CHANGELOG.md',
    'SHA256SUMS',
    expect.stringMatching(/^switchboard-[\d.]+\.tgz$/),
    expect.stringMatching(/^switchboard-[\d.]+\.vsix$/),
  ])
  const listed = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  expect(listed).toEqual(names.filter((name) => name !== 'SHA256SUMS').map((name) => `${hash(name)}  ${name}`))
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(/^# \d+\.\d+\.\d+\n\n## /)
})

describe('the package', () => {
  test('is whole: nothing in it leads out of it, and it asks npm for nothing', () => {
    const links = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      lstatSync(join(installed, name)).isSymbolicLink(),
    )
    expect(links).toEqual([])
    expect(program.startsWith(installed)).toBe(true)
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'switchboard', license: 'Apache-2.0', engines: { node: '>=22.18' } })
    // What the bundle leaves out is in the package, in the very version.
    expect(Object.keys(manifest.dependencies).sort()).toEqual([...packagesBeside].sort())
    for (const name of packagesBeside) {
      const { version } = JSON.parse(readFileSync(join(installed, 'node_modules', name, 'package.json'), 'utf8'))
      expect({ name, version }).toEqual({ name, version: manifest.dependencies[name] })
    }
  })

  test('runs: a server is added, called with and without a daemon, and shown to an agent', async () => {
    expect(await run('--version')).toMatch(/^switchboard \d+\.\d+\.\d+\n$/)
    expect(await run('server', 'add', 'everything', '--', process.execPath, EVERYTHING, 'stdio')).toContain('added')
    const sum = ['call', 'everything_get-sum', '{"a":2,"b":3}']
    expect(await run(...sum)).toContain('The sum of 2 and 3 is 5.')

    const agent = start(['mcp'])
    const line = new LineAgent(agent.child.stdout, agent.child.stdin, { describe: agent.err })
    await line.initialize()
    // It has started a daemon, which checks arguments in a thread and speaks HTTP: what lies beside the bundle is found.
    expect(JSON.stringify(await line.call('everything_get-sum', { a: 4, b: 5 }))).toContain('The sum of 4 and 5 is 9.')
    expect(JSON.stringify(await line.call('everything_get-sum', { a: 'four', b: 5 }))).toContain('invalid_arguments')
    agent.child.stdin.end()
    await expectSuccess(agent)

    // So are the thread that reads sources, and its grammars.
    const project = place.file('home', 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'a.rs'), 'pub fn find_me() {}\n')
    expect(await run('call', 'index_repository', JSON.stringify({ path: project }))).toContain('1 files')
    const search = { query: 'find_me', path: project }
    expect(await run('call', 'repository_search', JSON.stringify(search))).toContain('a.rs:1-1 function find_me')

    expect(await run('up')).toContain('already running')
    expect(await run(...sum)).toContain('The sum of 2 and 3 is 5.')
    expect(await run('status')).toMatch(/everything\s+● ready/)
    expect(await run('down')).toContain('stopped the daemon')
    expect(await run('up')).toContain('started the daemon')
    expect(await run('down')).toContain('stopped the daemon')
  })

  test('takes over what a client has, is replaced by a newer one, and gives everything back', async () => {
    const client = place.file('home', '.cursor', 'mcp.json')
    mkdirSync(dirname(client), { recursive: true })
    const before = JSON.stringify({ mcpServers: { taken: { command: process.execPath, args: [EVERYTHING] } } })
    writeFileSync(client, before)
    expect(await run('init', '--yes')).toContain('wrote ~/.cursor/mcp.json')
    expect(JSON.parse(readFileSync(client, 'utf8')).mcpServers.switchboard.args[0]).toContain(installed)
    await run('up')

    expect(await run('upgrade', '--from', archive)).toContain('its checksum is that of SHA256SUMS')
    const newer = await raiseVersion('99.0.0')
    expect(await run('upgrade', '--from', newer)).toMatch(
      /installed 99\.0\.0 in place of [\s\S]+the daemon was started again/,
    )
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version).toBe('99.0.0')
    expect(await run('call', 'taken_get-sum', '{"a":20,"b":3}')).toContain('The sum of 20 and 3 is 23.')
    writeFileSync(join(dirname(newer), 'SHA256SUMS'), `${'0'.repeat(64)}  ${basename(newer)}\n`)
    const refused = start(['upgrade', '--from', newer])
    expect(await refused.ended).toBe(2)
    expect(refused.err()).toContain('its checksum is another one')

    const told = await run('uninstall', '--yes')
    expect(told).toMatch(
      /~\/\.cursor\/mcp\.json {2}restored to the byte[\s\S]+The daemon is stopped[\s\S]+npm rm -g switchboard/,
    )
    expect(readFileSync(client, 'utf8')).toBe(before)
  })

  test('says what it needs where Node is too old, and names no clone', async () => {
    const child = spawn(process.execPath, [PRETEND, '20.19.0', program, 'status'], {
      cwd: place.file('home'),
      env: bareEnvironment(),
    })
    const { ended, err } = watchProgram(child)
    expect(await ended).toBe(69)
    expect(err()).toMatch(
      /^switchboard: Switchboard needs Node 22\.18 or later, this is 20\.19\.0: install a newer one/,
    )
    expect(err()).not.toContain('clone')
  })
})
