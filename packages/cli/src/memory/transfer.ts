/** Export and import of lines, page by page: of the memory, and of the whole store. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { errorMessage } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { ProgressDisplay } from '../call/progress-display.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT, type ExitCode } from '../program/exit-code.ts'
import { type InputStream, throwOnInterruption } from '../program/io.ts'
import { formatCount } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Ask } from './ask-memory.ts'
import { type LinesOutOptions, openLinesOut } from './lines-out.ts'

/** So many lines, or so many bytes, are sent at once: the daemon reads no longer request than 16 MB. */
const MOST_LINES = 500
const MOST_BYTES = 15_000_000
/** Of wrong lines that are told one by one. */
const MOST_TOLD = 20

interface Page {
  readonly lines: readonly string[]
  readonly cursor?: string
}

export async function exportLines(
  context: CommandContext,
  ask: Ask,
  options: LinesOutOptions & { readonly file: string | undefined; readonly params: JsonObject },
): Promise<ExitCode> {
  const { err, io } = context
  const target = await openLinesOut(context, options.file, options)
  const display = new ProgressDisplay(err)
  let count = 0
  let isWhole = false
  try {
    for (let cursor: string | undefined; ; ) {
      const params = cursor === undefined ? options.params : { ...options.params, cursor }
      // What `export` answers with, page by page.
      const page = (await ask('export', params)) as unknown as Page
      throwOnInterruption(io)
      await target.write(page.lines)
      count += page.lines.length
      if (err.isTTY && target.path !== undefined) display.show({ progress: count, message: 'written' })
      cursor = page.cursor
      if (cursor === undefined) break
    }
    isWhole = true
  } finally {
    display.close()
    await target.end(isWhole)
  }
  if (target.path === undefined) return EXIT.ok
  if (context.isJson) printJson(context, { file: target.path, lines: count })
  else context.out.line(`Wrote ${formatCount(count, 'line')} to ${toSafeLine(target.path)}, which only you can read.`)
  return EXIT.ok
}

/** What became of the lines, by the names that whoever took them in has for it. */
type Counts = Record<string, number>

export interface LineImportOptions {
  readonly file: string
  readonly params: JsonObject
  readonly command: string
  /** In one sentence, from the counts. */
  describe(count: (name: string) => number): string
}

interface Problem {
  readonly line: number
  readonly problem: string
}

/** What is wrong is told by the numbers of its lines; then it fails, though the rest is there. */
export async function importLines(
  context: CommandContext,
  ask: Ask,
  { file, params, command, describe }: LineImportOptions,
): Promise<ExitCode> {
  const { err, io } = context
  const display = new ProgressDisplay(err)
  const counts: Counts = {}
  const problems: Problem[] = []
  let seen = 0
  try {
    for await (const batch of readBatches(context, file, command)) {
      // Numbers, and what is wrong: what both of them answer with.
      const { problems: found, ...taken } = await ask('import', { ...params, lines: batch.lines, first: batch.first })
      throwOnInterruption(io)
      for (const [name, count] of Object.entries(taken)) counts[name] = (counts[name] ?? 0) + Number(count)
      problems.push(...batch.problems, ...(found as unknown as readonly Problem[]))
      seen += batch.lines.length
      if (err.isTTY) display.show({ progress: seen, message: 'lines read' })
    }
  } finally {
    display.close()
  }
  report(context, counts, problems, describe)
  return problems.length === 0 ? EXIT.ok : EXIT.failed
}

function report(
  context: CommandContext,
  counts: Counts,
  problems: readonly Problem[],
  describe: LineImportOptions['describe'],
): void {
  if (context.isJson) {
    printJson(context, { ...counts, problems })
    return
  }
  const { out, err } = context
  for (const { line, problem } of problems.slice(0, MOST_TOLD)) {
    err.line(`${err.style.red(`line ${line}`)} ${toSafeLine(problem)}`)
  }
  const rest = problems.length - MOST_TOLD
  if (rest > 0) err.line(err.style.dim(`and ${formatCount(rest, 'more wrong line')}; --json has them all`))
  out.line(describe((name) => counts[name] ?? 0))
  if (problems.length > 0)
    err.line(
      `${formatCount(problems.length, 'line')} could not be taken. Correct them and import again: nothing is taken twice.`,
    )
}

interface Batch {
  readonly lines: string[]
  readonly first: number
  /** Of lines that nobody can be sent. */
  readonly problems: Problem[]
}

async function* readBatches({ io }: CommandContext, file: string, command: string): AsyncGenerator<Batch> {
  const path = resolve(io.cwd, file)
  const input: InputStream = file === '-' ? io.stdin : createReadStream(path)
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal: io.signal })
  let batch: Batch = { lines: [], first: 1, problems: [] }
  let bytes = 0
  let isFirst = true
  for await (const text of orFail(reader, path, command)) {
    // Some editors and shells put a mark before the first.
    const line = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    isFirst = false
    const size = Buffer.byteLength(JSON.stringify(line))
    if (batch.lines.length >= MOST_LINES || (batch.lines.length > 0 && bytes + size > MOST_BYTES)) {
      yield batch
      batch = { lines: [], first: batch.first + batch.lines.length, problems: [] }
      bytes = 0
    }
    const isTooLarge = size > MOST_BYTES
    if (isTooLarge) batch.problems.push({ line: batch.first + batch.lines.length, problem: `has ${size} bytes` })
    // Its place is kept, so that the numbers of those behind it stay right.
    batch.lines.push(isTooLarge ? '' : line)
    bytes += isTooLarge ? 0 : size
  }
  throwOnInterruption(io)
  if (batch.lines.length > 0) yield batch
}

async function* orFail(lines: AsyncIterable<string>, path: string, command: string): AsyncGenerator<string> {
  try {
    yield* lines
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}.`, { command })
  }
}
