/** A variable of this size is nothing that a program could be started with. */
const MAX_CHARACTERS = 1_000_000

/**
 * What the daemon is told of our environment, for the programs that it runs on our behalf: they are to run as our shell
 * would run them. It goes over the private socket, and nowhere else. One that is too large is left out.
 */
export function readWindowEnvironment(env: NodeJS.ProcessEnv): { readonly env?: Readonly<Record<string, string>> } {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return size > MAX_CHARACTERS ? {} : { env: Object.fromEntries(entries) }
}
