import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLogger, readLogs } from '../../src/index.ts'
import { collect, createFolder, listFiles } from '../support/workspace.ts'

const fixture = fileURLToPath(new URL('../fixtures/log-writer.ts', import.meta.url))

function startWriter(manner: string, directory: string, inst = 'aaaa-000001'): ChildProcess {
  const args = ['--conditions=switchboard-source', fixture, manner, directory, inst]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
  if (child.stdout) yield* createInterface({ input: child.stdout })
}

async function exitOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}

async function messagesIn(directory: string): Promise<string[]> {
  return (await collect(readLogs({ directory }))).map((line) => line.msg)
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test.each([
  ['exit-at-once', 0],
  ['exit-while-writing', 0],
  ['end-by-itself', 0],
  ['uncaught', 1],
])('a process that ends by %s leaves every line, whole and once', async (manner, code) => {
  const directory = join(createFolder(), 'logs')
  const child = startWriter(manner, directory)
  child.stderr?.resume()
  expect(await exitOf(child)).toBe(code)
  expect(await messagesIn(directory)).toEqual(numbers(5_000))
})

test('kill -9 leaves whole lines and at most one cut one, and the next process goes on below it', async () => {
  const directory = createFolder()
  const child = startWriter('forever', directory)
  child.stderr?.resume()
  for await (const text of linesOf(child)) if (text === 'writing') break
  const path = join(directory, 'mcp-aaaa-000001.log')
  await expect.poll(() => listFiles(directory).length, { timeout: 30_000 }).toBeGreaterThan(2)
  child.kill('SIGKILL')
  await exitOf(child)

  // As if the kernel had taken only a part of the last write. A kill between rotation and the next write leaves no file.
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > 20) truncateSync(path, size - 20)
  const logger = createFileLogger({ directory, file: 'mcp-aaaa-000001.log', inst: 'aaaa-000001', level: 'info' })
  logger.info('test', 'after the kill')
  await logger.close()

  const lines = await collect(readLogs({ directory }))
  const malformed = lines.filter((line) => line.cat === 'log.malformed')
  expect(malformed.length).toBe(size > 20 ? 1 : 0)
  expect(lines.at(-1)?.msg).toBe('after the kill')
  const written = lines.filter((line) => line.cat === 'test.line').map((line) => line.msg)
  expect(written).toEqual(numbers(written.length))
})

test('processes that write at the same time are merged, each with all its lines', async () => {
  const directory = createFolder()
  const insts = ['aaaa-000001', 'aaaa-000002', 'aaaa-000003']
  const children = insts.map((inst) => startWriter('exit-while-writing', directory, inst))
  for (const child of children) child.stderr?.resume()
  for (const child of children) expect(await exitOf(child)).toBe(0)
  const lines = await collect(readLogs({ directory }))
  expect(lines).toHaveLength(15_000)
  for (const inst of insts) {
    expect(lines.filter((line) => line.inst === inst).map((line) => line.msg)).toEqual(numbers(5_000))
  }
  const times = lines.map((line) => line.ts)
  expect(times).toEqual(times.toSorted())
})

test.each(['closed', 'never read'])(
  'a process without a folder, whose stderr is %s, lives on and ends well',
  async (stderr) => {
    const directory = join(createFolder(), 'logs')
    writeFileSync(directory, 'no folder')
    const child = startWriter('no-file', directory)
    if (stderr === 'closed') child.stderr?.destroy()
    else child.stderr?.pause()
    expect(await collect(linesOf(child))).toEqual(['alive', 'closed'])
    expect(await exitOf(child)).toBe(0)
  },
)

function canMount(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('on a full disk lines go to stderr, none is cut, and writing goes on when there is room', async ({ skip }) => {
  const folder = createFolder()
  const directory = join(folder, 'disk')
  mkdirSync(directory)
  if (!canMount(directory)) skip('this machine does not let us mount a small disk')
  onTestFinished(() => void execFileSync('umount', [directory]))
  // A file of somebody else's takes part of the room, so that it can be given back.
  const ballast = join(directory, 'ballast')
  writeFileSync(ballast, Buffer.alloc(32 * 1024))

  const child = startWriter('on-command', directory)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const said = linesOf(child)
  const nextSaid = async () => (await said.next()).value
  expect(await nextSaid()).toBe('ready')
  child.stdin?.write('500\n')
  expect(await nextSaid()).toBe('wrote 500')
  await expect.poll(() => stderr).toContain('"499"')
  expect(stderr).toContain('"cat":"log.failed"')
  expect(stderr).toContain('ENOSPC')

  rmSync(ballast)
  child.stdin?.write('10\n')
  expect(await nextSaid()).toBe('wrote 510')
  child.stdin?.end()
  expect(await exitOf(child)).toBe(0)

  const lines = await collect(readLogs({ directory }))
  expect(lines.filter((line) => line.cat === 'log.malformed')).toEqual([])
  expect(lines.filter((line) => line.cat === 'log.recovered')).toHaveLength(1)
  const inFile = lines.filter((line) => line.cat === 'test.line').map((line) => line.msg)
  const onStderr = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((line) => line.cat === 'test.line')
    .map((line) => line.msg)
  expect(inFile.slice(-10)).toEqual(numbers(510).slice(500))
  expect([...inFile, ...onStderr].sort()).toEqual(numbers(510).sort())
})
