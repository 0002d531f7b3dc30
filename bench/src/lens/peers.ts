/** Others that do a part of it: jomini from npm for script, ctags for symbols, ripgrep for words. One that is not here is left out. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { findCtags, listTags } from '../symbols/ctags.ts'
import type { Reading } from './measure-reading.ts'

const JOMINI = 'jomini@0.10.0'
const FOLDER = fileURLToPath(new URL('../../.peers/lens', import.meta.url))
const run = promisify(execFile)

/** What is used of it. */
interface Jomini {
  readonly Jomini: {
    initialize(): Promise<{ parseText(bytes: Uint8Array, options?: object, use?: (query: object) => void): unknown }>
  }
}

/** It rejects a whole file for one error: those are counted as found. */
export async function measureJomini(files: readonly string[], say: (line: string) => void): Promise<Reading> {
  if (!existsSync(join(FOLDER, 'node_modules', 'jomini'))) {
    say(`installing ${JOMINI} into bench/.peers`)
    await mkdir(FOLDER, { recursive: true })
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
    await run('npm', ['install', '--prefix', FOLDER, ...options, JOMINI], { shell: process.platform === 'win32' })
  }
  const place = createRequire(join(FOLDER, 'package.json')).resolve('jomini')
  // A package that is had at run time has no types here.
  const { Jomini: library } = (await import(pathToFileURL(place).href)) as Jomini
  const parser = await library.initialize()
  let bytes = 0
  let rejected = 0
  let ms = 0
  for (const file of files) {
    const content = await readFile(file)
    bytes += content.length
    const begun = performance.now()
    try {
      // Without a look at what it has read: the least that it can do.
      parser.parseText(content, {}, () => undefined)
    } catch {
      rejected++
    }
    ms += performance.now() - begun
  }
  return {
    work: 'parse, jomini',
    threads: 1,
    files: files.length,
    megabytes: bytes / 1e6,
    seconds: ms / 1_000,
    found: rejected,
  }
}

/** Undefined: it is not here. */
export async function measureCtags(files: readonly string[], megabytes: number): Promise<Reading | undefined> {
  if ((await findCtags()) === undefined) return undefined
  const begun = performance.now()
  let found = 0
  for await (const _tag of listTags(files)) found++
  const seconds = (performance.now() - begun) / 1_000
  return { work: 'symbols, ctags', threads: 1, files: files.length, megabytes, seconds, found }
}

/** Milliseconds for each of these words; undefined: it is not here. */
export async function measureRipgrep(folder: string, words: readonly string[]): Promise<number[] | undefined> {
  const times: number[] = []
  for (const word of words) {
    const begun = performance.now()
    try {
      await run('rg', ['--files-with-matches', '--word-regexp', '--fixed-strings', '--no-messages', word, folder])
    } catch (error) {
      // 1: it found nothing.
      if (!(error instanceof Error && 'code' in error && error.code === 1)) return undefined
    }
    times.push(performance.now() - begun)
  }
  return times
}
