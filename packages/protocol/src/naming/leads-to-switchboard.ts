/** Whether an entry of a client's file starts Switchboard, or connects to it: what we ran of it would run us. */

export interface StartedEntry {
  readonly command?: string | undefined
  readonly args: readonly string[]
  readonly url?: string | undefined
}

/** By its program or by its address. */
export function leadsToSwitchboard(entry: StartedEntry, port: number): boolean {
  return startsSwitchboard(entry) || isOurAddress(entry, port)
}

/** By its program: `switchboard mcp`, `npx switchboard mcp`, `node …/switchboard.mjs mcp`, or from the sources. */
function startsSwitchboard({ command, args }: StartedEntry): boolean {
  if (command === undefined) return false
  const words = [command, ...args]
  const program = words.findIndex((word) => PROGRAM.test(word))
  return program !== -1 && words.slice(program + 1).includes('mcp')
}

const PROGRAM =
  /(?:^|[/\\])(?:@switchboard[/\\]cli(?:@[\w.-]+)?|switchboard(?:@[\w.-]+)?(?:\.(?:mjs|js|cmd|exe|ps1))?|packages[/\\]cli[/\\].*main\.(?:ts|js))$/i

function isOurAddress({ url }: StartedEntry, port: number): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const { hostname, port: own, pathname } = new URL(url)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return isHere && Number(own) === port && /^\/(?:mcp|sse|ws)(?:\/|$)/.test(pathname)
}
