import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { throwOnInterruption } from '../program/io.ts'
import { openInBrowser } from '../program/open-in-browser.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { Spinner } from '../terminal/spinner.ts'

export async function run(
  context: CommandContext,
  { positionals: [name = ''], options }: CommandInput,
): Promise<number> {
  const { io, out } = context
  const shown: Promise<Spinner>[] = []
  try {
    // Whoever runs the servers keeps the login; without a daemon that is this command, and it starts none of them.
    const { issuer, kept } = await runWithBackend(context, { only: name, isSilent: true }, (backend) =>
      backend.login(name, (page) => void shown.push(show(context, page, options.flag('no-browser')))),
    )
    if (context.isJson) printJson(context, { ok: true, server: name, issuer, kept })
    else {
      out.line(`${out.style.green('logged in')} to ${out.style.bold(name)} at ${toSafeLine(issuer)}`)
      out.line(out.style.dim(`the login is kept in ${kept}`))
    }
    return EXIT.ok
  } catch (error) {
    throwOnInterruption(io)
    throw error
  } finally {
    for (const spinner of await Promise.all(shown)) spinner.stop()
  }
}

/** The address is printed in any case: the browser that opens may be the wrong one, or on another screen. */
async function show(
  { err, io, log }: CommandContext,
  { url, issuer }: { readonly url: string; readonly issuer: string },
  isPrinted: boolean,
): Promise<Spinner> {
  const isOpen = !isPrinted && (await openInBrowser(url, io.env))
  log.info('cli.login', isOpen ? 'a browser was opened for the login' : 'the address of the login was printed')
  err.line(
    `${isOpen ? 'Your browser opens' : 'Open'} the page of ${toSafeLine(issuer)}${isOpen ? '. If it does not:' : ':'}`,
  )
  err.line(`  ${toSafeLine(url)}`)
  return new Spinner(err, () => 'waiting for you to log in; Ctrl-C gives up …')
}
