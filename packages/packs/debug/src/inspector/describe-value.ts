/** Values as a reader sees them: short, on one line, and such that a string is not taken for a number. */
import type { ObjectPreview, PropertyPreview, RemoteObject } from './protocol.ts'

const LONGEST_TEXT = 10_000
const MOST_MEMBERS = 8

export function describeValue(value: RemoteObject): string {
  switch (value.type) {
    case 'string':
      return quote(String(value.value ?? ''))
    case 'undefined':
      return typeof value.value === 'string' ? value.value : 'undefined'
    case 'symbol':
      return value.description ?? 'Symbol()'
    case 'function':
      return describeFunction(value.description ?? '')
    case 'object':
      return value.subtype === 'null' ? 'null' : describeObject(value)
    default:
      return value.unserializableValue ?? String(value.value)
  }
}

export function typeOf(value: RemoteObject): string {
  if (value.subtype === 'null') return 'null'
  return value.type === 'object' ? (value.className ?? 'Object') : value.type
}

/** How many elements a list, map or set has, by its description: `Array(5)`. */
export function countElements({ subtype, description = '' }: RemoteObject): number | undefined {
  if (subtype === undefined || !['array', 'typedarray', 'map', 'set'].includes(subtype)) return undefined
  const count = /\((\d+)\)$/.exec(description)?.[1]
  return count === undefined ? undefined : Number(count)
}

function cutText(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…(+${text.length - LONGEST_TEXT})`
}

function quote(text: string): string {
  const rest = text.length - LONGEST_TEXT
  return rest > 0 ? `${JSON.stringify(text.slice(0, LONGEST_TEXT))}…(+${rest})` : JSON.stringify(text)
}

function describeFunction(source: string): string {
  const head = source.slice(0, 200)
  const className = /^class\b\s*([\w$]*)/.exec(head)
  if (className !== null) return `class ${className[1] === 'extends' ? '' : className[1]}`.trimEnd()
  const [, name = ''] = /^(?:async\s*)?(?:function\s*\*?\s*|\*\s*|get\s+|set\s+)?([\w$#]*)\s*\(/.exec(head) ?? []
  return name === '' || name === 'async' || name === 'function' ? 'ƒ' : `ƒ ${name}`
}

function describeObject({ subtype, description = 'Object', className, preview }: RemoteObject): string {
  switch (subtype) {
    case 'error':
      return cutText(description.split('\n    at ')[0]?.split('\n')[0] ?? description)
    case 'date': {
      const time = Date.parse(description)
      return Number.isNaN(time) ? description : new Date(time).toISOString().replace('.000Z', 'Z')
    }
    case 'regexp':
    case 'proxy':
      return cutText(description)
    case 'array':
    case 'typedarray':
      return describeList(description, preview)
    default:
      return describeMembers(description, className, preview)
  }
}

function describeList(description: string, preview: ObjectPreview | undefined): string {
  const label = description.replace(/^Array(?=\()/, '')
  if (preview === undefined) return label === '' ? '[]' : label
  const members = preview.properties.filter(({ name }) => /^\d+$/.test(name))
  const shown = members.slice(0, MOST_MEMBERS).map(describePreviewed)
  const more = preview.overflow || members.length > shown.length
  const count = Number(/\((\d+)\)$/.exec(description)?.[1] ?? members.length)
  const list = `[${[...shown, ...(more ? ['…'] : [])].join(', ')}]`
  return description.startsWith('Array(') && count <= shown.length ? list : `${label} ${list}`
}

function describeMembers(
  description: string,
  className: string | undefined,
  preview: ObjectPreview | undefined,
): string {
  const label = description === 'Object' || (className === 'Object' && description === '#<Object>') ? '' : description
  if (preview === undefined) return label === '' ? '{…}' : cutText(label)
  const members =
    preview.entries === undefined
      ? preview.properties.slice(0, MOST_MEMBERS).map(describeMember)
      : preview.entries
          .slice(0, MOST_MEMBERS)
          .map(({ key, value }) => (key === undefined ? '' : `${nested(key)} → `) + nested(value))
  const total = preview.entries?.length ?? preview.properties.length
  const more = preview.overflow || total > members.length
  const text = `{${[...members, ...(more ? ['…'] : [])].join(', ')}}`
  return label === '' ? text : `${cutText(label)} ${text}`
}

function describeMember(property: PropertyPreview): string {
  if (property.name === '[[PromiseState]]') return `<${property.value ?? ''}>`
  if (property.name === '[[PromiseResult]]') return describePreviewed(property)
  return `${property.name}: ${describePreviewed(property)}`
}

function describePreviewed({ type, subtype, value = '' }: PropertyPreview): string {
  if (type === 'string') return JSON.stringify(value)
  if (type === 'accessor') return '(…)'
  if (type === 'function') return 'ƒ'
  // Of an error the rest is its stack.
  if (subtype === 'error') return value.split('\n')[0] ?? value
  if (type === 'object' && subtype !== 'null') return value === 'Object' ? '{…}' : value
  return value
}

function nested({ type, subtype, description = '' }: ObjectPreview): string {
  return describePreviewed({ name: '', type, ...(subtype === undefined ? {} : { subtype }), value: description })
}
