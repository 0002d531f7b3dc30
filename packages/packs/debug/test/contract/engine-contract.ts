/**
 * What every debug engine must do, against its real debugger, with a program in its language that has the same functions
 * and marks everywhere. What an engine cannot do is declared in `lacks`, and must then say so with the right code.
 */
import { describe } from 'vitest'
import { declareBreakpoints } from './breakpoints.ts'
import { declareControl } from './control.ts'
import { declareEndings } from './endings.ts'
import { declareValues } from './values.ts'
import { createWorkbench, type EngineFixture } from './workbench.ts'

export async function describeEngineContract(fixture: EngineFixture): Promise<void> {
  const located = await fixture.engine.locate()
  // On Linux every debugger can be had: one that is missing there is a failure, not a reason to be silent.
  const isSkipped = !located.found && process.platform !== 'linux'
  const title = located.found ? fixture.language : `${fixture.language} (missing; install it with: ${located.install})`
  describe.skipIf(isSkipped)(title, { timeout: 90_000 }, () => {
    const bench = createWorkbench(fixture)
    declareBreakpoints(bench)
    declareValues(bench)
    declareControl(bench)
    declareEndings(bench)
  })
}
