import { parseScript } from '../../src/script/parse-script.ts'
import { ELEMENT, eachToken, FIELD, PARAMETER, printTree, type ScriptTree } from '../../src/script/tree.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A tree in one line, for people: fields as `[prefix]key op value`, blocks in braces. */
export function outline(text: string): string {
  const { tree } = parseScript(bytesOf(text))
  return outlineFrom(tree, 0, tree.size)
}

function outlineFrom(tree: ScriptTree, from: number, to: number): string {
  const items: string[] = []
  for (let node = from; node < to; node = tree.next(node)) {
    const prefix = tree.prefix(node)
    const head = tree.kind(node) === FIELD ? `${prefix && `[${prefix}]`}${tree.key(node)} ${tree.operator(node)} ` : ''
    const body = tree.isBlock(node)
      ? `${tree.value(node)}{${outlineFrom(tree, tree.firstChild(node), tree.end(node))}}`
      : tree.value(node)
    if (tree.kind(node) === PARAMETER) items.push(`?${tree.key(node)}${body}`)
    else items.push(tree.kind(node) === FIELD || tree.kind(node) === ELEMENT ? `${head}${body}` : `!${body}`)
  }
  return items.join(', ')
}

/** Everything that must hold of any bytes whatever; gives what is broken. */
export function findBroken(bytes: Uint8Array): string[] {
  const { tree, problems } = parseScript(bytes)
  const broken: string[] = []
  if (Buffer.compare(printTree(tree), bytes) !== 0) broken.push('printing differs')
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  eachToken(tree, (start, end) => {
    if (start < at || end <= start) broken.push(`token ${start}-${end} is out of order after ${at}`)
    else if (!isTrivia(bytes.subarray(at, start))) broken.push(`something is lost between ${at} and ${start}`)
    at = end
  })
  if (!isTrivia(bytes.subarray(at, tree.textEnd))) broken.push(`something is lost after ${at}`)
  for (let node = 0; node < tree.size; node++) {
    if (tree.next(node) <= node || tree.next(node) > tree.size) broken.push(`item ${node} leads to ${tree.next(node)}`)
    if (tree.start(node) > tree.valueEnd(node) || tree.valueEnd(node) > bytes.length)
      broken.push(`item ${node} is nowhere`)
  }
  for (const { code, start, end, expected, hint } of problems) {
    const isInside = start >= 0 && start <= end && end <= bytes.length && start < bytes.length
    if (!isInside) broken.push(`${code} is at ${start}-${end} of ${bytes.length}`)
    if (!expected || !hint) broken.push(`${code} says too little`)
  }
  return broken
}

/** Blanks and comments only. */
function isTrivia(bytes: Uint8Array): boolean {
  let isComment = false
  for (const byte of bytes) {
    if (isComment) isComment = byte !== 0x0a
    else if (byte === 0x23) isComment = true
    else if (!' \t\r\n\v\f;'.includes(String.fromCharCode(byte))) return false
  }
  return true
}
