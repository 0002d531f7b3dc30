/** What kind of trouble a message tells, by the first line that fits: the narrow ones stand before the wide ones. */
export interface LogCategory {
  readonly name: string
  /** 1: the game ends; 5: seldom of interest. */
  readonly priority: number
  /** Errors of this kind bring others with them. */
  readonly isCause?: boolean
  readonly pattern: RegExp
}

const LOG_CATEGORIES: readonly LogCategory[] = [
  {
    name: 'crash',
    priority: 1,
    isCause: true,
    pattern: /\b(?:crash|fatal error|access violation|assertion failed)\b/i,
  },
  { name: 'encoding', priority: 2, isCause: true, pattern: /\butf-?8\b|\bBOM\b|\bencoding\b/i },
  {
    name: 'syntax',
    priority: 2,
    isCause: true,
    pattern:
      /unexpected token|unexpected end|malformed token|unbalanced|missing brace|unknown token|failed to (?:parse|read key)|unterminated/i,
  },
  {
    name: 'duplicate',
    priority: 4,
    pattern: /\bduplicate|\balready (?:exists|defined|registered)|overriding entry|defined in both/i,
  },
  { name: 'localization', priority: 4, pattern: /\blocali[sz]ation|\bloc key|missing loc\b|unlocalized/i },
  {
    name: 'missing_reference',
    priority: 3,
    pattern:
      /\bundefined\b|\bunknown\b|not found|\bcould not find|failed to find|does(?: not|n't) exist|is not a valid|invalid (?:trait|title|event|culture|faith|building|character|key|database object)|failed to fetch/i,
  },
  {
    name: 'scope',
    priority: 3,
    pattern: /wrong scope|\bscope type\b|unset scope|inconsistent .{0,40}scope|invalid scope|event target/i,
  },
  { name: 'event', priority: 3, pattern: /\bevents? .{0,60}(?:orphaned|not fired|no option|has no)/i },
  { name: 'interface', priority: 4, pattern: /\bwidget|\bgui\b|\.gui\b|data factory|convert statement/i },
  {
    name: 'graphics',
    priority: 4,
    pattern: /\btexture|\.dds\b|portrait|\bgene\b|\bmesh\b|\basset\b|\bentity\b|shader|blendshape/i,
  },
  { name: 'audio', priority: 5, pattern: /\baudio|\bsound|fmod|\bmusic\b/i },
  { name: 'script', priority: 3, pattern: /script system error|postvalidate|script location/i },
]

const OTHER_CATEGORY: LogCategory = { name: 'other', priority: 5, pattern: /(?:)/ }

export function categoryOf(message: string): LogCategory {
  return LOG_CATEGORIES.find(({ pattern }) => pattern.test(message)) ?? OTHER_CATEGORY
}
