const LINE_WIDTH = 120

export interface JsonLayout {
  /** What one level is indented by. Default: two blanks. */
  readonly unit?: string
  /** The indentation of the line on which the value begins. */
  readonly indent?: string
  /** Where on its line the value begins. */
  readonly column?: number
}

/** As a person and our formatter lay it out: a list without objects stays on one line where it fits. */
export function formatJson(value: unknown, layout: JsonLayout = {}): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { unit = '  ', indent = '', column = indent.length } = layout
  const inner = indent + unit
  if (Array.isArray(value)) {
    const oneLine = formatOneLine(value)
    // One more for the comma behind it.
    if (oneLine !== undefined && column + oneLine.length < LINE_WIDTH) return oneLine
    return `[\n${value.map((item) => inner + formatJson(item, { unit, indent: inner })).join(',\n')}\n${indent}]`
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  if (entries.length === 0) return '{}'
  const lines = entries.map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `
    return start + formatJson(item, { unit, indent: inner, column: start.length })
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function formatOneLine(value: unknown): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value)
  const items = value.map(formatOneLine)
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
}
