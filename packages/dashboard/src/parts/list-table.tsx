import type { ComponentChildren } from 'preact'

/** Its title, and its classes: `number`, and where there is less room `extra` goes first, then `spare`, then `least`. */
export type ListColumn = readonly [title: string, kind?: string]

/** What the buttons of a row are for is on them: for the eye the column needs no title. */
export const ACTIONS: ListColumn = ['Actions', 'untitled']

interface ListTableProps {
  readonly caption: string
  readonly columns: readonly ListColumn[]
  readonly kind?: string
  /** The rows. */
  readonly children: ComponentChildren
}

export function ListTable({ caption, columns, kind, children }: ListTableProps) {
  return (
    <table class={kind === undefined ? 'list' : `list ${kind}`}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(([title, about]) => (
            <th key={title} scope="col" class={about}>
              <span class={about === 'untitled' ? 'unseen' : undefined}>{title}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
