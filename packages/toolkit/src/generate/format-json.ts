/** JSON as the formatter of this repository writes it: a list of plain values stands on one line where it fits. */
export function formatJson(value: unknown): string {
  return `${format(value, '', 0)}\n`
}

const WIDTH = 120

/** `before`: how many characters stand before the value on its line. */
function format(value: unknown, indent: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const line = `[${value.map((item) => format(item, '', 0)).join(', ')}]`
    const isPlain = value.every((item) => typeof item !== 'object' || item === null)
    // One more for the comma.
    if (isPlain && before + line.length + 1 <= WIDTH) return line
    return `[\n${value.map((item) => `${inner}${format(item, inner, inner.length)}`).join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) return '{}'
  const lines = members.map(([key, member]) => {
    const start = `${inner}${JSON.stringify(key)}: `
    return `${start}${format(member, inner, start.length)}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}
