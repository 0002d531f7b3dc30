/** What we promise of symbols of ordinary code, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import { COMPARED } from './languages.ts'
import type { SymbolRate } from './measure-rate.ts'
import type { SymbolsRow } from './report.ts'

const LEAST = 0.97
const FILES = 5_000
const MAX_SECONDS = 30

export function judgeTargets(rows: readonly SymbolsRow[], rates: readonly SymbolRate[]): Target[] {
  const judged = rows.filter(({ language }) => COMPARED.some(({ name, isJudged }) => name === language && isJudged))
  const quality = judged.flatMap(({ repository, language, judgedRecall, judgedPrecision }) =>
    [
      { name: `recall, ${repository} (${language})`, value: judgedRecall },
      { name: `precision, ${repository} (${language})`, value: judgedPrecision },
    ].map(({ name, value }) => ({ name, limit: `≥ ${LEAST}`, measured: value.toFixed(4), met: value >= LEAST })),
  )
  const speed = rates
    .filter(({ threads }) => threads === 2)
    .map(({ files, seconds }) => {
      const needed = files === 0 ? 0 : (FILES / files) * seconds
      const measured = `${needed.toFixed(1)} s`
      return {
        name: `${FILES} files on two threads`,
        limit: `≤ ${MAX_SECONDS} s`,
        measured,
        met: needed <= MAX_SECONDS,
      }
    })
  return [...quality, ...speed]
}
