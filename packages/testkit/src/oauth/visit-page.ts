/** What a browser does with the address of a login: follows every redirect, with the cookies of each host, to the last page. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface VisitedPage {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

const MAX_STEPS = 20

/** `until`: the first address that is not opened any more. */
export async function visitPage(start: string, until?: (url: URL) => boolean): Promise<VisitedPage> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  for (let step = 0; step < MAX_STEPS; step++) {
    if (until?.(url)) return { url: url.href, status: 0, text: '', headers: new Headers() }
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = answer.headers.get('location')
    if (location === null)
      return { url: url.href, status: answer.status, text: await answer.text(), headers: answer.headers }
    await answer.body?.cancel()
    url = new URL(location, url)
  }
  throw new Error(`More than ${MAX_STEPS} redirects from ${start}`)
}

/** A program for `BROWSER` that does this in a process of its own. It leaves the last page in `page`, as JSON. */
export async function writeBrowser(file: string, page: string): Promise<void> {
  const program = fileURLToPath(new URL('./visit-program.ts', import.meta.url))
  const command = [process.execPath, '--conditions=switchboard-source', '--no-warnings', program].map(
    (part) => `'${part}'`,
  )
  await writeFile(file, `#!/bin/sh\nVISITED_FILE='${page}' exec ${command.join(' ')} "$1"\n`, { mode: 0o755 })
}
