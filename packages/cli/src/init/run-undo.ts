/** `init --undo`: every run, the last one first. */
import { dirname } from 'node:path'
import { askVerdict } from '../config/ask-verdict.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { type UndoneFile, undoRuns } from './undo.ts'

export async function runUndo(context: CommandContext): Promise<number> {
  const { out } = context
  const files = await undoInit(context)
  const isWell = files.every(({ outcome }) => outcome !== 'refused')
  if (context.isJson) printJson(context, { ok: isWell, files })
  else if (files.length === 0) out.line('There is no init to undo; nothing was changed.')
  else printUndone(context, files)
  return isWell ? EXIT.ok : EXIT.failed
}

/** A daemon that runs is told. */
async function undoInit(context: CommandContext): Promise<UndoneFile[]> {
  const { home, log } = context
  const files = await undoRuns(home.directory, (file) => dirname(file) === dirname(home.configFile))
  for (const { file, outcome } of files) log.info('cli.init', `undo: ${outcome} ${file}`)
  if (files.some(({ file, outcome }) => file === home.configFile && outcome !== 'kept'))
    await askVerdict(context, '', false)
  return files
}

const SAID = {
  restored: 'restored to the byte',
  removed: 'removed: it was new',
  reverted: 'reverted',
  kept: 'left as it is',
  refused: 'left alone',
}

function printUndone({ out, home }: CommandContext, files: readonly UndoneFile[]): void {
  const { style } = out
  for (const { file, outcome, notes, copy } of files) {
    const sign = outcome === 'refused' ? style.red('✗') : style.green('✓')
    out.line(`${sign} ${formatPath(file, home.userHome)}  ${SAID[outcome]}`)
    for (const note of notes) out.line(`    ${toSafeLine(note)}`)
    if (copy !== undefined)
      out.line(
        `    what it held before is in ${formatPath(copy, home.userHome)}: put it back by hand, then --undo again`,
      )
  }
}
