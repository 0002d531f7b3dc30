// pgvector for the PostgreSQL that the tests start: Debian 12 has the server but not the extension, so it is compiled from
// Debian's source archive, pinned by its hash, against the headers of the server that is there. Everything lies in .toolchain and
// nothing is installed: the cluster of a test is given the files (packages/testkit/src/postgres). Costs seconds, once.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, step } from './console.mjs'

const version = '0.8.0'
const archiveHash = 'SHA256:867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0'

const servers = '/usr/lib/postgresql'
const aptHelper = '/usr/lib/apt/apt-helper'
const oldestServer = 15
/** It would drop its rights first, and cannot write into the clone without them. */
const asOurselves = ['-o', 'APT::Sandbox::User=root']

/** The newest that Debian has put there. @returns {number | undefined} */
function findServerVersion(folder = servers) {
  if (!existsSync(folder)) return undefined
  const versions = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'bin', 'postgres')))
  const newest = Math.max(0, ...versions.map(Number).filter(Number.isInteger))
  return newest >= oldestServer ? newest : undefined
}

/** Where it lies once it is built. @param {string} root @param {number} server */
const pgvectorFolder = (root, server) => join(root, '.toolchain', 'pgvector', `${version}-${server}`)

/** @param {string} root */
export function isPgvectorMissing(root) {
  const server = findServerVersion()
  return server !== undefined && existsSync(aptHelper) && !existsSync(pgvectorFolder(root, server))
}

/** Call it under the set-up lock only. @param {string} root @param {NodeJS.ProcessEnv} environment */
export async function buildPgvector(root, environment) {
  const server = findServerVersion()
  if (server === undefined) return
  const work = join(root, '.toolchain', `pgvector-${process.pid}`)
  await step(`Compiling pgvector ${version} for the tests with PostgreSQL ${server}`, async () => {
    mkdirSync(work, { recursive: true })
    try {
      await compile(work, server, environment)
      const target = pgvectorFolder(root, server)
      mkdirSync(join(target, '..'), { recursive: true })
      renameSync(join(work, 'built'), target)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  })
}

/** @param {string} work @param {number} server @param {NodeJS.ProcessEnv} environment */
async function compile(work, server, environment) {
  /** @param {string} command @param {readonly string[]} args */
  const run = async (command, args) => {
    const options = { cwd: work, env: environment, stdin: /** @type {const} */ ('ignore'), stdoutToStderr: true }
    const code = await runInForeground(command, args, { ...options, isStep: true })
    if (code !== 0) throw new ExpectedFailure(`pgvector could not be built: ${command} ended with ${code}.`)
  }
  const headers = `postgresql-server-dev-${server}`
  // An image may come without the lists of its packages.
  if (!isKnown(headers, work, environment)) await run('apt-get', ['update', '-qq'])
  if (!isKnown(headers, work, environment)) throw new ExpectedFailure(`apt-get knows no ${headers}.`)
  // Only its headers: to install it would bring a second compiler along.
  await run('apt-get', ['download', '-qq', ...asOurselves, headers])
  const [packed] = readdirSync(work).filter((name) => name.startsWith(headers))
  if (packed === undefined) throw new ExpectedFailure(`apt-get brought no ${headers}.`)
  await run('dpkg-deb', ['-x', packed, 'headers'])
  await downloadArchive(run, listMirrors(work, environment))
  await run('tar', ['xzf', 'pgvector.tar.gz'])
  const sources = join(work, `pgvector-${version}`)
  const built = join(work, 'built')
  mkdirSync(built)
  const include = join(work, 'headers', 'usr', 'include', 'postgresql')
  // As its Makefile does, but for every processor of this kind.
  const fast = ['-ftree-vectorize', '-fassociative-math', '-fno-signed-zeros', '-fno-trapping-math']
  await run('gcc', [
    ...['-O2', '-fPIC', '-shared', ...fast, '-I', join(include, String(server), 'server'), '-I', include],
    ...['-o', join(built, 'vector.so')],
    ...readdirSync(join(sources, 'src'))
      .filter((name) => name.endsWith('.c'))
      .map((name) => join(sources, 'src', name)),
    '-lm',
  ])
  copyFileSync(join(sources, 'vector.control'), join(built, 'vector.control'))
  copyFileSync(join(sources, 'sql', 'vector.sql'), join(built, `vector--${version}.sql`))
}

/** @param {string} name @param {string} cwd @param {NodeJS.ProcessEnv} env */
function isKnown(name, cwd, env) {
  return spawnSync('apt-get', ['download', '--print-uris', '-qq', name], { cwd, env }).status === 0
}

/**
 * Those that this machine has its packages from. The archive lies on one of them: not on that of the security team, from which a
 * package of the server itself may come.
 *
 * @param {string} cwd @param {NodeJS.ProcessEnv} env
 */
function listMirrors(cwd, env) {
  const asked = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { cwd, env, encoding: 'utf8' })
  const mirrors = [...new Set((asked.stdout ?? '').split('\n').filter((line) => line !== ''))]
  const isSecurity = (/** @type {string} */ mirror) => mirror.includes('security')
  return [...mirrors.filter((mirror) => !isSecurity(mirror)), ...mirrors.filter(isSecurity)]
}

/** @param {(command: string, args: readonly string[]) => Promise<void>} run @param {readonly string[]} mirrors */
async function downloadArchive(run, mirrors) {
  /** @type {unknown} */
  let failure = new ExpectedFailure('apt-get names no mirror.')
  for (const mirror of mirrors) {
    const archive = `${mirror.replace(/\/$/, '')}/pool/main/p/pgvector/pgvector_${version}.orig.tar.gz`
    try {
      await run(aptHelper, ['-qq', ...asOurselves, 'download-file', archive, 'pgvector.tar.gz', archiveHash])
      return
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
