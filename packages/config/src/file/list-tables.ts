import type { ObjectTable } from '../shape/object-type.ts'

export interface PlacedTable {
  readonly table: ObjectTable
  /** Where it stands in the file: `mcpServers.<name>.tools`. */
  readonly place: string
}

/** The table itself, and every object inside it before what is inside that; one at several places comes once. */
export function listTables(root: ObjectTable): readonly PlacedTable[] {
  const found = new Map<string, PlacedTable>()
  const visit = ({ fields }: ObjectTable, prefix: string): void => {
    for (const [key, { type }] of Object.entries(fields)) {
      for (const { table, below } of type.nested ?? []) {
        const known = found.get(table.name)?.table
        if (known === table) continue
        if (known !== undefined) throw new Error(`Two objects of the configuration are called "${table.name}"`)
        const place = `${prefix}${key}${below}`
        found.set(table.name, { table, place })
        visit(table, `${place}.`)
      }
    }
  }
  visit(root, '')
  return [{ table: root, place: '' }, ...found.values()]
}
