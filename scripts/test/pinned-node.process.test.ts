/** The Node that is installed into a clone, from a registry that gives out what it should, or something else. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { isPinnedNode } from '../run/toolchain.mjs'

const run = promisify(execFile)
const NAME = 'node-for-a-test'
const TOOLCHAIN = new URL('../run/toolchain.mjs', import.meta.url).href

let clone: TemporaryDirectory
beforeEach(async () => {
  clone = await createTemporaryDirectory('switchboard-pinned-')
})
afterEach(() => clone.remove())

/** A package as npm packs it: its program says what it is, and so would its install script. */
async function pack(says: string): Promise<Buffer> {
  const source = clone.file(`source-${says}`)
  mkdirSync(join(source, 'bin'), { recursive: true })
  const binary = join(source, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  writeFileSync(binary, `#!/bin/sh\necho ${says}\n`)
  chmodSync(binary, 0o755)
  const scripts = { install: `node -e "require('fs').writeFileSync('${clone.file('script-ran')}', '')"` }
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: NAME, version: '1.0.0', scripts }))
  const shell = process.platform === 'win32'
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', clone.path, source], { shell })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return readFileSync(clone.file(filename))
}

function hashOf(archive: Buffer): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`
}

/** Every word of it is true: whoever runs it has put his own archive there. */
async function startRegistry(archive: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(archive)
    const tarball = `http://${request.headers.host}/${NAME}-1.0.0.tgz`
    const version = { name: NAME, version: '1.0.0', dist: { tarball, integrity: hashOf(archive) } }
    response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // Of a server that listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function install(registry: string, integrity: string): Promise<string> {
  const wanted = JSON.stringify({ name: NAME, version: '1.0.0', integrity })
  const code = `const { installNode } = await import(${JSON.stringify(TOOLCHAIN)})
    console.log(await installNode(${JSON.stringify(clone.path)}, ${wanted}).catch((error) => error.message))`
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: clone.file('cache') }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env, cwd: clone.path })
  return stdout.trim()
}

const installed = () => join(clone.path, '.toolchain', 'node_modules', NAME)

test('an archive with another hash is refused, with both, and nothing of it is unpacked or run', async () => {
  const [expected, other] = [hashOf(await pack('ours')), await pack('theirs')]
  const message = await install(await startRegistry(other), expected)
  expect(message).toContain(`expected ${expected}`)
  expect(message).toContain(`got      ${hashOf(other)}`)
  expect(message).toContain('npm config get registry')
  expect(existsSync(installed())).toBe(false)
  expect(readdirSync(clone.file('.toolchain'))).toEqual([])
})

test('the archive with the hash is installed without running a script, and known again by its hash', async () => {
  const archive = await pack('ours')
  const path = await install(await startRegistry(archive), hashOf(archive))
  expect(path).toBe(join(installed(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
  expect(readFileSync(path, 'utf8')).toContain('echo ours')
  expect(existsSync(clone.file('script-ran'))).toBe(false)
  const pinned = { name: NAME, version: '1.0.0', integrity: hashOf(archive) }
  expect(isPinnedNode(clone.file('.toolchain'), pinned)).toBe(true)
  // One that was installed when another was wanted is not used.
  expect(isPinnedNode(clone.file('.toolchain'), { ...pinned, integrity: hashOf(Buffer.from('next')) })).toBe(false)
})
