/**
 * `${VAR}` and `${VAR:-default}` in texts of the configuration. `$${` is a literal `${`. What a variable holds is
 * never expanded again. An empty variable counts as set for `${VAR}`; `:-` takes the default when unset or empty.
 * `${workspace}` is no variable: it is the folder of the window that calls, which nobody knows when a configuration is read.
 */

export type Environment = Readonly<Record<string, string | undefined>>

export interface Expansion {
  readonly text: string
  /** Names that have neither a value nor a default; the text then still holds them as written. */
  readonly unresolved: readonly string[]
  /** What follows a `${` and is no variable, up to its `}` or the end. */
  readonly malformed: readonly string[]
}

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/** What stands for `${workspace}` until a window calls: no text of a configuration may hold a zero, so it is nothing else. */
export const WORKSPACE_MARK = '\0workspace\0'
export const WORKSPACE_VARIABLE = 'workspace'

/** `takesWorkspace`: `${workspace}` becomes the mark. */
export function expandVariables(text: string, env: Environment, takesWorkspace = false): Expansion {
  const unresolved: string[] = []
  const malformed: string[] = []
  const expanded = text.replace(REFERENCE, (written: string, inner: string | undefined, close: string | undefined) => {
    if (inner === undefined) return '${'
    const [, name, fallback] = close === '}' ? (VARIABLE.exec(inner) ?? []) : []
    if (name === undefined) {
      malformed.push(inner)
      return written
    }
    if (takesWorkspace && name === WORKSPACE_VARIABLE && fallback === undefined) return WORKSPACE_MARK
    const value = lookUp(env, name)
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value
    if (value === undefined) unresolved.push(name)
    return value ?? written
  })
  return { text: expanded, unresolved, malformed }
}

/** `${constructor}` must not find what every object inherits. */
function lookUp(env: Environment, name: string): string | undefined {
  const value: unknown = env[name]
  return typeof value === 'string' ? value : undefined
}
