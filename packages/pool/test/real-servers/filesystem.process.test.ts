/** The reference filesystem server: real files in a temporary directory, its refusals, and roots from the pool's user. */
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { AskRequests, AskResponses } from '@switchboard/protocol'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { McpPool, type McpPoolOptions } from '../../src/mcp-pool.ts'
import { connectDirectly } from './direct-client.ts'
import { filesystemCommand } from './real-servers.ts'

const leaks = createLeakCheck()
let inside: TemporaryDirectory
let outside: TemporaryDirectory
let pool: McpPool | undefined

beforeEach(async () => {
  await leaks.begin()
  inside = await createTemporaryDirectory()
  outside = await createTemporaryDirectory()
})

afterEach(async () => {
  await pool?.close()
  pool = undefined
  await inside.remove()
  await outside.remove()
  await leaks.check()
})

async function startPool(directories: string[], options: McpPoolOptions = {}): Promise<McpPool> {
  pool = new McpPool({ mcpServers: { files: filesystemCommand(...directories) } }, options)
  pool.start()
  await pool.ready()
  return pool
}

it('writes and reads a file in its directory', async () => {
  const files = await startPool([inside.path])
  const path = inside.file('note.txt')
  const content = 'first line\nzweite Zeile: ä 👋\n'
  await files.call('files_write_file', { path, content })
  expect(await readFile(path, 'utf8')).toBe(content)
  const read = await files.call('files_read_text_file', { path })
  expect(read.content).toEqual([{ type: 'text', text: content }])
})

it('is denied outside of it, and the refusal passes unchanged as a result', async () => {
  const files = await startPool([inside.path])
  const direct = await connectDirectly(filesystemCommand(inside.path))
  const args = { path: outside.file('stolen.txt'), content: 'x' }
  try {
    const expected = await direct.callTool({ name: 'write_file', arguments: args })
    expect(expected).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Access denied') }] })
    expect(await files.call('files_write_file', args)).toEqual(expected)
  } finally {
    await direct.close()
  }
  await expect(readFile(outside.file('stolen.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(files.status()).toMatchObject([{ failures: 0, restarts: 0 }])
})

it('passes images, audio and other binaries on byte by byte', async () => {
  const files = await startPool([inside.path])
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256))
  const data = bytes.toString('base64')
  for (const [name, expected] of [
    ['a.png', { type: 'image', data, mimeType: 'image/png' }],
    ['a.wav', { type: 'audio', data, mimeType: 'audio/wav' }],
    ['a.bin', { type: 'resource', resource: { mimeType: 'application/octet-stream', blob: data } }],
  ] as const) {
    await writeFile(inside.file(name), bytes)
    const result = await files.call('files_read_media_file', { path: inside.file(name) })
    expect(result.content).toMatchObject([expected])
    expect(result.structuredContent).toEqual({ content: result.content })
  }
})

it("takes its directories from the roots of the pool's one user", async () => {
  const asked: string[] = []
  const ask = async (requests: AskRequests): Promise<AskResponses> => {
    asked.push(...Object.values(requests).map(({ method }) => method))
    const roots = { roots: [{ uri: pathToFileURL(outside.path).href, name: 'workspace' }] }
    return Object.fromEntries(Object.keys(requests).map((key) => [key, roots]))
  }
  const files = await startPool([inside.path], { ask })
  // It asks right after the handshake, with no call in flight, and replaces what its command line said.
  await waitFor(async () => {
    const { content } = await files.call('files_list_allowed_directories')
    return JSON.stringify(content).includes(JSON.stringify(outside.path).slice(1, -1))
  })
  expect(asked).toEqual(['roots/list'])
  await files.call('files_write_file', { path: outside.file('in-root.txt'), content: 'yes' })
  expect(await readFile(outside.file('in-root.txt'), 'utf8')).toBe('yes')
  expect(await files.call('files_write_file', { path: inside.file('no.txt'), content: 'x' })).toMatchObject({
    isError: true,
  })
})

it('keeps the directories of its command line when nobody can be asked for roots', async () => {
  const files = await startPool([inside.path])
  await waitFor(() => files.status()[0]?.lastStderr.some((line) => line.includes('Failed to request initial roots')))
  const { content } = await files.call('files_list_allowed_directories')
  expect(content).toEqual([{ type: 'text', text: `Allowed directories:\n${inside.path}` }])
  expect(files.status()).toMatchObject([{ serialised: false }])
})
