/**
 * In which order the game reads the files of one folder. Rule O1: by file name over all layers, never by the order of the mods.
 * Rule O2, of which there is one measured report only: the files of a folder first, then its sub-folders. Whoever does not
 * believe it sorts by the whole path; where the two differ in who wins, the winner is uncertain.
 */
export type OrderRule = 'files-first' | 'plain-path'

export function compareLoadOrder(left: string, right: string, rule: OrderRule): number {
  if (left === right) return 0
  return rule === 'plain-path'
    ? compareBytes(foldFolders(left), foldFolders(right))
    : compareFilesFirst(foldFolders(left).split('/'), foldFolders(right).split('/'))
}

function compareFilesFirst(left: readonly string[], right: readonly string[]): number {
  for (let at = 0; ; at++) {
    const a = left[at]
    const b = right[at]
    if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1)
    const isFile = at === left.length - 1
    if (isFile !== (at === right.length - 1)) return isFile ? -1 : 1
    const order = compareBytes(a, b)
    if (order !== 0) return order
  }
}

/** Where a mod writes a folder in other letters than the game, it is the same folder. */
function foldFolders(path: string): string {
  const name = path.lastIndexOf('/')
  return path.slice(0, name + 1).toLowerCase() + path.slice(name + 1)
}

/** As the bytes of UTF-8 order, which for names in ASCII is what everyone expects: capitals before small letters. */
function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
