/** Edits (insert, delete, replace, swap neighbours) between two texts; undefined when there are more than `limit`. */
export function boundedDistance(left: string, right: string, limit: number): number | undefined {
  const width = right.length + 1
  let beforePrevious = new Array<number>(width).fill(0)
  let previous = Array.from({ length: width }, (_, column) => column)
  let current = new Array<number>(width).fill(0)
  const at = (row: readonly number[], column: number): number => row[column] ?? limit + 1
  for (let i = 1; i <= left.length; i++) {
    // Cells further than `limit` from the diagonal cannot be part of a short enough path.
    const from = Math.max(1, i - limit)
    const to = Math.min(right.length, i + limit)
    current.fill(limit + 1)
    if (i <= limit) current[0] = i
    let least = at(current, 0)
    for (let j = from; j <= to; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1)
      }
      current[j] = cost
      if (cost < least) least = cost
    }
    // A swap may still step over one row, so both must be beyond the limit before giving up.
    if (least > limit && Math.min(...previous) > limit) return undefined
    ;[beforePrevious, previous, current] = [previous, current, beforePrevious]
  }
  const distance = at(previous, right.length)
  return distance <= limit ? distance : undefined
}
