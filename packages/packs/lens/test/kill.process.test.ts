/** A build that is killed goes on where it was, and ends with the same index as one that was not. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSeededRandom } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { dumpIndex } from './helpers/dump-index.ts'
import { useLens, writeFiles } from './helpers/lens.ts'

const KILLS = Number(process.env.LENS_KILLS ?? 4)
const PROGRAM = fileURLToPath(new URL('./programs/build-index.ts', import.meta.url))
const FILES = 800
const bench = useLens()

/** `killAfter`: milliseconds after it has begun. */
function build(place: string, folder: string, killAfter?: number): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=switchboard-source', PROGRAM, place, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    const isFirst = out === ''
    out += chunk
    if (isFirst && killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter)
  })
  return new Promise((resolve) => child.once('close', () => resolve(out)))
}

it(
  'ends with the same index, row by row, after it was killed at random moments',
  async () => {
    const random = createSeededRandom(14)
    const words = Array.from({ length: 2_000 }, (_, index) => `word_${index}`)
    const line = (): string => Array.from({ length: 8 }, () => random.pick(words)).join(' ')
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => [
        `part${index % 20}/file${index}.ts`,
        // Some are the same, some are wrong.
        index % 50 === 0
          ? 'export const same = 1\n'
          : `export function f${index}() {\n  // ${line()}\n  return g${index + 1}(${line().length})\n`.repeat(20),
      ]),
    )
    const folder = await bench.folder(files)
    const whole = await bench.place()
    expect(await build(whole, folder)).toContain('done')
    const broken = await bench.place()
    let killed = 0
    for (let round = 0; round < KILLS; round++) {
      const out = await build(broken, folder, random.below(1_200))
      if (!out.includes('done')) killed++
      // A file that changes between two lives is the newer one in both.
      const path = `part${round % 20}/file${round % 20}.ts`
      await writeFiles(folder, { [path]: `export function again${round}() {}\n` })
    }
    expect(killed).toBeGreaterThan(0)
    expect(await build(broken, folder)).toContain('"errors":0')
    expect(await build(whole, folder)).toContain('"errors":0')
    const dump = dumpIndex(join(broken, 'index.db'))
    expect(dump.queue).toEqual([])
    expect(dump.files).toHaveLength(FILES)
    for (const [table, rows] of Object.entries(dumpIndex(join(whole, 'index.db')))) {
      if (table !== 'names') expect(dump[table], table).toEqual(rows)
    }
  },
  300_000 + KILLS * 30_000,
)
