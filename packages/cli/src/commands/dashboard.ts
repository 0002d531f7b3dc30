import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { startInBackground } from '../daemon-process/start-in-background.ts'
import { EXIT } from '../program/exit-code.ts'
import { openInBrowser } from '../program/open-in-browser.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { dashboard } = await startInBackground(context, { needsDashboard: true })
  const { out, err, io, isJson } = context
  const isOpened = !options.flag('print') && !isJson && (await openInBrowser(dashboard ?? '', io.env))
  if (isJson) printJson(context, { ok: true, url: dashboard })
  else if (isOpened) out.line(`${out.style.green('opened')} the dashboard in your browser`)
  else {
    out.line(dashboard ?? '')
    if (!options.flag('print'))
      err.line(err.style.dim('No browser could be opened here: open the link yourself. It is good once.'))
  }
  return EXIT.ok
}
