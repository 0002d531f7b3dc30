/** How many of a repository's symbols we tell, and how many that are none: measured by ctags. And how quickly. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorMessage } from '@switchboard/base'
import { describeLoad, describeMachine } from '../machine.ts'
import { compareSymbols } from './compare.ts'
import { findCtags } from './ctags.ts'
import { COMPARED, type ComparedLanguage } from './languages.ts'
import { measureRate } from './measure-rate.ts'
import type { SymbolsReport, SymbolsRow } from './report.ts'
import { obtain, REPOSITORIES } from './repositories.ts'
import { judgeTargets } from './targets.ts'

export interface SymbolsOptions {
  readonly quick: boolean
  /** A folder with repositories, each in a folder of its own: those in place of the public ones. */
  readonly data: string | undefined
  say(line: string): void
}

interface Given {
  readonly name: string
  readonly folder: string
  readonly languages: readonly ComparedLanguage[]
}

export async function runSymbols({ quick, data, say }: SymbolsOptions): Promise<SymbolsReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const ctags = await findCtags()
  if (ctags === undefined) {
    throw new Error('This needs Universal Ctags. On Debian: apt-get install universal-ctags')
  }
  const rows: SymbolsRow[] = []
  const missing: string[] = []
  const allFiles: string[] = []
  for (const { name, folder, languages } of await listGiven({ quick, data, say }, missing)) {
    for (const language of languages) {
      const files = listFiles(folder, language.endings)
      if (files.length === 0) continue
      say(`${name}: ${files.length} files of ${language.name}`)
      allFiles.push(...files.map((file) => join(folder, file)))
      rows.push({ repository: name, language: language.name, ...(await compareSymbols(folder, files, language)) })
    }
  }
  say(`the rate of ${allFiles.length} files`)
  const rates = [await measureRate(allFiles, 1), await measureRate(allFiles, 2)]
  const loadAfter = describeLoad()
  const leftOut = COMPARED.map(({ name, leftOut: what }) => ({ language: name, what }))
  return {
    machine,
    loadBefore,
    loadAfter,
    quick,
    ctags,
    rows,
    rates,
    missing,
    leftOut,
    targets: judgeTargets(rows, rates),
  }
}

async function listGiven({ quick, data, say }: SymbolsOptions, missing: string[]): Promise<Given[]> {
  if (data !== undefined) {
    const folders = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return folders.map(({ name }) => ({ name, folder: join(data, name), languages: COMPARED }))
  }
  const given: Given[] = []
  for (const repository of quick ? REPOSITORIES.slice(0, 1) : REPOSITORIES) {
    try {
      const folder = await obtain(repository, say)
      given.push({
        name: repository.name,
        folder,
        languages: COMPARED.filter(({ name }) => name === repository.language),
      })
    } catch (error) {
      missing.push(`${repository.name}: ${errorMessage(error)}`)
    }
  }
  return given
}

/** What was written by programs is left out, as it is by the walker. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|\.git|dist)\/|\.min\.js$/

function listFiles(folder: string, endings: readonly string[]): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => entry.isFile() && endings.includes(basename(entry.name).split('.').at(-1) ?? ''))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !LEFT_OUT.test(path))
    .sort()
}
