import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** False: nothing here opens links. `BROWSER` names what does; `none` is for nothing. */
export async function openInBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, ...args] = commandFor(url, env, platform)
  if (command === undefined) return false
  try {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', env: { ...env } })
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    return false
  }
}

function commandFor(
  url: string,
  { BROWSER: browser = '', DISPLAY, WAYLAND_DISPLAY }: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  if (browser !== '') return browser === 'none' ? [] : [browser, url]
  if (platform === 'darwin') return ['open', url]
  // `start` of cmd would read the fragment as its own.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  // xdg-open without a screen would open a browser in the terminal.
  return (DISPLAY ?? '') === '' && (WAYLAND_DISPLAY ?? '') === '' ? [] : ['xdg-open', url]
}
