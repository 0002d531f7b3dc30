/**
 * What the parser does with real mods: speed beside reading, errors told, bytes given back, and what is found after one mutation.
 *
 *     node --conditions=switchboard-source packages/paradox/test/programs/measure-mods.ts <folder of mods> [mutations per file]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom } from '@switchboard/testkit'
import { extractFile } from '../../src/extract/extract-file.ts'
import { gamePathOf } from '../../src/extract/folders.ts'
import { parseShared } from '../../src/script/parse-script.ts'
import { findBroken } from '../support/outline.ts'
import { measureRecovery } from '../support/recovery.ts'

const [, , folder, perFile = '2'] = process.argv
if (folder === undefined) throw new Error('Name the folder of the mods')

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:txt|gui|asset|yml)$/.test(name),
)
const files = names.map((name) => ({ name, path: gamePathOf(name), bytes: readFileSync(join(folder, name)) }))
const scripts = files.filter(({ name }) => !name.endsWith('.yml'))
const megabytes = (list: readonly { bytes: Uint8Array }[]): number =>
  list.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6

const speeds = { read: 0, parse: 0, 'symbols of script': 0, 'symbols of texts': 0 }
const texts = files.filter(({ name }) => name.endsWith('.yml'))
for (let round = 0; round < 5; round++) {
  measure('read', scripts, ({ name }) => readFileSync(join(folder, name)))
  measure('parse', scripts, ({ bytes }) => parseShared(bytes))
  measure('symbols of script', scripts, ({ bytes, path }) => extractFile(bytes, path))
  measure('symbols of texts', texts, ({ bytes, path }) => extractFile(bytes, path))
}
console.log(`${files.length} files, ${megabytes(files).toFixed(1)} MB; best of 5, MB per second of CPU time:`)
console.table(Object.fromEntries(Object.entries(speeds).map(([what, speed]) => [what, Number(speed.toFixed(1))])))

const broken = scripts.flatMap(({ name, bytes }) => findBroken(bytes).map((what) => `${name}: ${what}`))
console.log(broken.length === 0 ? 'every script is given back byte for byte' : broken.join('\n'))
const problems = files.flatMap(({ name, path, bytes }) =>
  (extractFile(bytes, path)?.problems ?? []).map(
    ({ line, column, code, message }) => `${name}:${line}:${column} ${code} ${message}`,
  ),
)
console.log(`${problems.length} problems\n${problems.join('\n')}`)
console.table(measureRecovery(scripts, createSeededRandom(1), Number(perFile)))

function measure<T extends { bytes: Uint8Array }>(
  what: keyof typeof speeds,
  list: readonly T[],
  run: (file: T) => unknown,
): void {
  const before = process.cpuUsage()
  for (const file of list) run(file)
  const { user, system } = process.cpuUsage(before)
  speeds[what] = Math.max(speeds[what], (megabytes(list) * 1e6) / (user + system))
}
