/**
 * What programs and debuggers do to an agent, by the tools that it calls: no call hangs, nothing is left behind, and the
 * answer says what is going on. The same for every language, with the programs of the engine contract.
 */
import { describe } from 'vitest'
import { findEngine } from '../contract/find-engine.ts'
import { declareDeaths } from './deaths.ts'
import { declareEndless } from './endless.ts'
import { declareFamilies } from './families.ts'
import { declareFloods } from './floods.ts'
import { type HardshipLanguage, useHardshipBench } from './hardship-bench.ts'

export async function describeHardships(language: HardshipLanguage): Promise<void> {
  const located = await findEngine(language.engine).locate()
  const title = located.found ? language.name : `${language.name} (missing; install it with: ${located.install})`
  describe.skipIf(!located.found)(title, { timeout: 120_000 }, () => {
    const bench = useHardshipBench(language)
    declareEndless(bench)
    declareFloods(bench)
    declareFamilies(bench)
    declareDeaths(bench)
  })
}
