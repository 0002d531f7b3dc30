import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory, watchProgram } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KnownFile, ScanBatch, ScannedFile } from '../../src/thread/messages.ts'
import { SourceThread } from '../../src/thread/source-thread.ts'

const SCAN_ONCE = fileURLToPath(new URL('../programs/scan-once.ts', import.meta.url))

async function createTree(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await createTemporaryDirectory()
  onTestFinished(() => directory.remove())
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(directory.file(path)), { recursive: true })
    writeFileSync(directory.file(path), text)
  }
  return directory.path
}

function openThread(): SourceThread {
  const thread = new SourceThread()
  onTestFinished(() => thread.end())
  return thread
}

interface ScanOptions {
  readonly known?: readonly KnownFile[]
  readonly signal?: AbortSignal
  readonly parseTimeout?: number
  onBatch?(batch: ScanBatch): Promise<void> | void
}

async function scan(root: string, { known = [], signal, parseTimeout = 30_000, onBatch }: ScanOptions = {}) {
  const files: ScannedFile[] = []
  const outcome = await openThread().scan(
    { root, include: [], exclude: [], maxFileSize: 1_000_000, parseTimeout },
    {
      async *known() {
        yield known
      },
      async onBatch(batch) {
        files.push(...batch.files)
        await onBatch?.(batch)
      },
      signal: signal ?? new AbortController().signal,
    },
  )
  return { files, outcome }
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`f${at}.ts`, `export const value${at} = ${at}\n`.repeat(200)]),
  )

function toKnown({ path, stamp, hash, chunks, readAt }: ScannedFile): KnownFile {
  return { path, stamp, hash, chunks: chunks?.length ?? 0, readAt: readAt + 10_000, version: 1 }
}

describe('a scan', () => {
  test('reads what is new, passes over what is as it was, and names what is gone', async () => {
    const root = await createTree({ 'a.ts': 'export const a = 1\n', 'b.ts': 'export const b = 1\n', 'c.ts': 'c()\n' })
    const first = await scan(root)
    expect(first.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts', 'c.ts'])
    writeFileSync(join(root, 'b.ts'), 'export const b = 22\n')
    rmSync(join(root, 'c.ts'))
    const second = await scan(root, { known: first.files.map(toKnown) })
    expect(second.files.map(({ path, chunks }) => [path, chunks?.[0]?.text])).toEqual([['b.ts', 'export const b = 22']])
    expect(second.outcome).toMatchObject({
      gone: [{ path: 'c.ts', chunks: 1 }],
      counts: { unchanged: 1, seen: 2, total: 2 },
    })
  })

  test('does not believe the time of a file that was written while it was last read', async () => {
    const root = await createTree({ 'a.ts': 'export const a = 1\n' })
    const [file] = (await scan(root)).files
    if (file === undefined) throw new Error('nothing was read')
    // Another content with the same stamp, as one more write in the same tick makes it.
    const known = { ...toKnown(file), readAt: file.readAt, hash: 'of the content before' }
    expect((await scan(root, { known: [known] })).files.map(({ path }) => path)).toEqual(['a.ts'])
    expect((await scan(root, { known: [{ ...known, readAt: file.readAt + 10_000 }] })).files).toEqual([])
  })

  test('tells of content that is the same under a new stamp without reading it into pieces', async () => {
    const root = await createTree({ 'a.ts': 'export const a = 1\n' })
    const [file] = (await scan(root)).files
    if (file === undefined) throw new Error('nothing was read')
    const again = await scan(root, { known: [{ ...toKnown(file), stamp: 'old' }] })
    expect(again.files).toMatchObject([{ path: 'a.ts', stamp: file.stamp, chunks: undefined, chunksBefore: 1 }])
  })

  test('makes pieces anew where another version made them', async () => {
    const root = await createTree({ 'a.ts': 'export const a = 1\n' })
    const [file] = (await scan(root)).files
    if (file === undefined) throw new Error('nothing was read')
    expect((await scan(root, { known: [{ ...toKnown(file), version: 0 }] })).files).toHaveLength(1)
  })

  test('gives its batches one after the other', async () => {
    const root = await createTree(many(600))
    let inside = 0
    let most = 0
    const { files } = await scan(root, {
      onBatch: async () => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside--
      },
    })
    expect([most, files.length]).toEqual([1, 600])
  })

  test('that is stopped resolves with nothing, and tells of no more files', async () => {
    const root = await createTree(many(2_000))
    const controller = new AbortController()
    const { files, outcome } = await scan(root, { signal: controller.signal, onBatch: () => controller.abort() })
    expect(outcome).toBeUndefined()
    expect(files.length).toBeLessThan(2_000)
    const before = await scan(root, { signal: AbortSignal.abort() })
    expect(before).toEqual({ files: [], outcome: undefined })
  })

  test('ends with the failure of who takes its batches', async () => {
    const root = await createTree(many(10))
    const failure = new Error('the disk is full')
    const running = scan(root, {
      onBatch: () => {
        throw failure
      },
    })
    await expect(running).rejects.toBe(failure)
  })

  test('fails where its thread ends in the middle', async () => {
    const root = await createTree(many(300))
    const thread = new SourceThread()
    const running = thread.scan(
      { root, include: [], exclude: [], maxFileSize: 1_000_000, parseTimeout: 1_000 },
      {
        async *known() {},
        onBatch: () => thread.end(),
        signal: new AbortController().signal,
      },
    )
    await expect(running).rejects.toThrow('its thread ended')
  })

  test('forgets nothing where the folder itself is not there any more', async () => {
    const root = await createTree({ 'a.ts': 'export const a = 1\n' })
    const { files } = await scan(root)
    rmSync(root, { recursive: true })
    const { outcome } = await scan(root, { known: files.map(toKnown) })
    expect(outcome).toMatchObject({ gone: [], skipped: [{ path: '', reason: 'changed' }] })
  })

  test('gives up the syntax of a file that takes too long, says so, and goes on', async () => {
    const root = await createTree({ 'a.ts': 'function a() { return 1 }\n\n'.repeat(20_000), 'b.md': '# Title\n' })
    const { files, outcome } = await scan(root, { parseTimeout: 1 })
    expect(files.map(({ path, failure }) => [path, failure])).toEqual([
      ['a.ts', 'slow'],
      ['b.md', undefined],
    ])
    expect(outcome?.withoutSyntax).toEqual([{ path: 'a.ts', failure: 'slow' }])
  })

  test('reads nothing through a file that was exchanged for a link', async () => {
    const outside = await createTree({ 'secret.txt': 'secret' })
    const root = await createTree({ 'a/one.txt': 'one', 'b/two.txt': 'two' })
    rmSync(join(root, 'b'), { recursive: true })
    symlinkSync(outside, join(root, 'b'))
    const { files } = await scan(root)
    expect(files.map(({ path }) => path)).toEqual(['a/one.txt'])
  })
})

test.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
  'another user gets what it may read, the names of what it may not, and loses nothing that is known of a closed folder',
  async () => {
    const root = await createTree({ 'open.txt': 'x', 'closed.txt': 'x', 'closed/known.txt': 'x' })
    chmodSync(root, 0o755)
    chmodSync(join(root, 'closed.txt'), 0o600)
    chmodSync(join(root, 'closed'), 0o700)
    const child = spawn(process.execPath, ['--conditions=switchboard-source', SCAN_ONCE, root], {
      uid: 65534,
      cwd: '/',
    })
    const { ended, out, err } = watchProgram(child)
    expect(await ended, err()).toBe(0)
    expect(JSON.parse(out())).toEqual({
      files: ['open.txt'],
      skipped: [
        { path: 'closed.txt', reason: 'unreadable' },
        { path: 'closed', reason: 'unreadable' },
      ],
      gone: [],
    })
  },
)
