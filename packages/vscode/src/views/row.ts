/** One line of a view, before VS Code draws it. */
export interface ViewRow {
  /** The same for the same thing, so that a selection survives what changes around it. */
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly tooltip?: string
  /** A codicon, and a theme colour for it. */
  readonly icon?: string
  readonly color?: string
  /** What kind of thing it is: decides which buttons it has. */
  readonly kind?: string
  /** What its buttons and its click are about: a mode, a server, a trace id. */
  readonly subject?: string
  /** Run with the row when it is clicked. */
  readonly command?: { readonly id: string; readonly title: string }
  readonly children?: readonly ViewRow[]
}
