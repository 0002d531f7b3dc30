/**
 * RFC 6570 as far as matching needs it: `{a}` is one segment, `{+a}`, `{#a}`, `{/a*}` may hold slashes, `{?a,b}` a query.
 * Templates come from servers and URIs from agents, so the time must not grow out of hand: every piece of the template
 * looks once at every place of the URI that can be reached, where a regular expression would go back and try again.
 */
type Piece = { readonly type: 'text'; readonly text: string } | { readonly type: 'anything' | 'segment' | 'query' }

/** More than anybody writes; each looks at every place of a URI. */
const MAX_PIECES = 32
/** Longer URIs fit no template: they are read when they are listed, or were told by their server. */
const MAX_URI_CHARACTERS = 8_192

/** `{+x}` would fit everything, also what is other servers': a template says at least of which scheme its URIs are. */
export function namesScheme(template: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(template)
}

export interface UriMatcher {
  /** Steps that a look at this URI takes; 0: it is known not to fit. */
  cost(uri: string): number
  fits(uri: string): boolean
}

export function createUriMatcher(template: string): UriMatcher {
  const pieces = template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map(readPiece)
  const [first] = pieces
  const start = first?.type === 'text' ? first.text : ''
  const mayFit = (uri: string): boolean =>
    pieces.length <= MAX_PIECES && uri.length <= MAX_URI_CHARACTERS && uri.startsWith(start)
  return {
    cost: (uri) => (mayFit(uri) ? pieces.length * uri.length : 0),
    fits: (uri) => mayFit(uri) && fits(pieces, uri),
  }
}

function readPiece(part: string): Piece {
  if (!/^\{.*\}$/s.test(part)) return { type: 'text', text: part }
  if (/^\{[?&]/.test(part)) return { type: 'query' }
  return { type: /^\{[+#/.;]/.test(part) || part.includes('*') ? 'anything' : 'segment' }
}

function fits(pieces: readonly Piece[], uri: string): boolean {
  let reached: Uint8Array = new Uint8Array(uri.length + 1)
  reached[0] = 1
  for (const piece of pieces)
    reached = piece.type === 'text' ? skipText(reached, uri, piece.text) : walk(reached, uri, piece.type)
  return reached[uri.length] === 1
}

function skipText(from: Uint8Array, uri: string, text: string): Uint8Array {
  const reached = new Uint8Array(from.length)
  for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
    if (uri.startsWith(text, at)) reached[at + text.length] = 1
  }
  return reached
}

function walk(from: Uint8Array, uri: string, type: 'anything' | 'segment' | 'query'): Uint8Array {
  const reached = new Uint8Array(from.length)
  let isInside = false
  for (let at = 0; at <= uri.length; at++) {
    const isStart = from[at] === 1
    // A segment holds a character at least; the others may be empty.
    if (isInside || (isStart && type !== 'segment')) reached[at] = 1
    const character = uri.charAt(at)
    if (type === 'anything') isInside ||= isStart
    else if (type === 'segment') isInside = (isInside || isStart) && !'/?#'.includes(character)
    else isInside = isInside ? character !== '#' : isStart && (character === '?' || character === '&')
  }
  return reached
}
