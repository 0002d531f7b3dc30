/** Values as js-debug shows them, in the words that our own debugger for Node has for them. */

/** Of a list; the rest is counted in front of it. */
const MOST_MEMBERS = 8

export function tidyValue(value: string, type: string): string {
  switch (type) {
    case 'string':
      return quote(value)
    case 'Function':
      return tidyFunction(value)
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'symbol':
      return value
  }
  if (/Error$/.test(type)) return value.split(/\n|\\n/, 1)[0] ?? value
  const quoted = mapLiterals(value, quote)
  if (/^\(\d+\) \[/.test(quoted)) return tidyList(quoted)
  return /^(?:Map|Set)\(\d+\) \{/.test(quoted)
    ? quoted.replace(/\{size: \d+(?:, )?/, '{').replaceAll(' => ', ' → ')
    : quoted
}

export function tidyFrameName(name: string): string {
  // What a function is a member of, which may be the text of a function itself.
  const last = name.slice(name.lastIndexOf('.') + 1)
  return /^(?:[\w$#]+|<anonymous>)$/.test(last) ? last : name
}

/** Texts in a value, with their quotes. A quote that nothing closes is no text. */
function mapLiterals(value: string, change: (literal: string) => string): string {
  const open = new Set<string>()
  let result = ''
  for (let index = 0; index < value.length; index++) {
    const character = value.charAt(index)
    const end = /['"`]/.test(character) && !open.has(character) ? findEnd(value, index) : -1
    if (end === -1) {
      if (/['"`]/.test(character)) open.add(character)
      result += character
      continue
    }
    result += change(value.slice(index, end + 1))
    index = end
  }
  return result
}

function findEnd(value: string, start: number): number {
  const mark = value.charAt(start)
  for (let index = start + 1; index < value.length; index++) {
    if (value.charAt(index) === '\\') index++
    else if (value.charAt(index) === mark) return index
  }
  return -1
}

/** js-debug takes the quotes that need the fewest escapes. */
function quote(literal: string): string {
  const mark = literal.charAt(0)
  if (!/['"`]/.test(mark) || !literal.endsWith(mark) || literal.length < 2) return literal
  const inside = literal.slice(1, -1)
  const text = mark === '"' ? inside : inside.replaceAll(`\\${mark}`, mark).replaceAll('"', '\\"')
  return `"${text.replaceAll('\n', '\\n')}"`
}

function tidyFunction(value: string): string {
  const className = /^class\b\s*([\w$]*)/.exec(value)
  if (className !== null) return `class ${className[1] === 'extends' ? '' : className[1]}`.trimEnd()
  const [, name = ''] = /^(?:async )?ƒ\s*\*?\s*([\w$#]*)/.exec(value) ?? []
  return `ƒ ${name}`.trimEnd()
}

/** `(3) [1, 2, 3]`: the count says nothing where all of them are shown. */
function tidyList(value: string): string {
  const [, count = '', inside = ''] = /^\((\d+)\) \[(.*)\]$/s.exec(value) ?? []
  const members = splitMembers(inside)
  if (Number(count) <= MOST_MEMBERS && !members.includes('…')) return `[${inside}]`
  return `(${count}) [${members
    .filter((one) => one !== '…')
    .slice(0, MOST_MEMBERS)
    .join(', ')}, …]`
}

/** At commas that stand in no bracket and no text. */
function splitMembers(inside: string): string[] {
  const plain = mapLiterals(inside, (literal) => '"'.repeat(literal.length))
  const members: string[] = []
  let depth = 0
  let from = 0
  for (let index = 0; index <= plain.length; index++) {
    const character = plain.charAt(index)
    if ('{[('.includes(character) && character !== '') depth++
    else if ('}])'.includes(character) && character !== '') depth--
    if (index < plain.length && (character !== ',' || depth > 0)) continue
    members.push(inside.slice(from, index).trim())
    from = index + 1
  }
  return members
}
