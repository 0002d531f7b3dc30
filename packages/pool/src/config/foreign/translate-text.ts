/**
 * The variables in a client's texts, in our words: each client has a way of its own to name them, and some have none. A text
 * that only that client can fill in (it asks a person, or knows its window) is not translated.
 */

/** Whose words they are. `pasted`: nobody knows. */
export type ForeignClient =
  | 'pasted'
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'vscode-insiders'
  | 'windsurf'
  | 'codex'
  | 'gemini'
  | 'zed'

export interface TextPlace {
  readonly client: ForeignClient
  /** The folder of the project whose entry it is. */
  readonly project: string | undefined
  readonly userHome: string
}

/** Why an entry has no translation, as half a sentence about it. */
export class UntranslatableError extends Error {}

type Dialect = (text: string, place: TextPlace) => string

/** `$${` is a literal `${`. */
const escapeAll: Dialect = (text) => text.replaceAll('${', () => '$${')

/** `${env:NAME}`, `${userHome}`, `${workspaceFolder}`, and what only the editor knows. */
const editorVariables: Dialect = (text, { project, userHome }) =>
  text.replace(/\$\{([^}]*)\}?/g, (written, inner: string) => {
    const [, variable] = /^env:([A-Za-z_]\w*)$/.exec(inner) ?? []
    if (variable !== undefined) return `\${${variable}}`
    if (inner === 'userHome') return userHome
    if (inner === 'pathSeparator' || inner === '/') return process.platform === 'win32' ? '\\' : '/'
    if (inner.startsWith('workspaceFolder') && project !== undefined && inner === 'workspaceFolder') return project
    if (/^workspaceFolder|^relativeFile|^file$/.test(inner)) {
      throw new UntranslatableError(`it names the folder of the window, ${written}`)
    }
    if (/^(?:input|command|config|file|secret):/.test(inner)) {
      throw new UntranslatableError(`only its client fills in ${written}`)
    }
    return `$${written}`
  })

/** `$NAME` and `${NAME}`. */
const shellVariables: Dialect = (text) =>
  text.replace(
    /\$(?:\{([^}]*)\}?|([A-Za-z_]\w*))/g,
    (written, braced: string | undefined, bare: string | undefined) => {
      if (bare !== undefined) return `\${${bare}}`
      return /^[A-Za-z_]\w*(?::-.*)?$/s.test(braced ?? '') ? written : `$${written}`
    },
  )

/** `${NAME}` and `${NAME:-default}`, as here. */
const ownVariables: Dialect = (text) =>
  text.replace(/\$\{([^}]*)\}?/g, (written, inner: string) =>
    /^[A-Za-z_]\w*(?::-.*)?$/s.test(inner) && written.endsWith('}') ? written : `$${written}`,
  )

/** Of any client. What an editor would ask for is a variable that is still to be set. */
const anyVariables: Dialect = (text, place) =>
  text.replace(/\$\{[^}]*\}?/g, (written) => {
    const [, input] = /^\$\{input:([\w-]+)\}$/.exec(written) ?? []
    if (input !== undefined) return `\${${input.toUpperCase().replace(/\W/g, '_')}}`
    const own = ownVariables(written, place)
    return own === written ? written : editorVariables(written, place)
  })

const DIALECTS: Readonly<Record<ForeignClient, Dialect>> = {
  pasted: anyVariables,
  'claude-code': ownVariables,
  'claude-desktop': escapeAll,
  cursor: editorVariables,
  vscode: editorVariables,
  'vscode-insiders': editorVariables,
  windsurf: editorVariables,
  codex: escapeAll,
  gemini: shellVariables,
  zed: escapeAll,
}

/** Throws UntranslatableError. */
export function translateText(text: string, place: TextPlace): string {
  return DIALECTS[place.client](text, place)
}
