/**
 * What Universal Ctags gets wrong, as classes that are recognised by the source text alone, never by the name of a symbol. A
 * difference of such a class is explained: it does not count against us. What no class recognises does.
 */
import type { SourcePlace } from './source-places.ts'

export interface Judged {
  readonly side: 'ours' | 'ctags'
  readonly kind: string
  readonly name: string
}

export interface KnownError {
  readonly languages: readonly string[]
  readonly side: Judged['side']
  readonly what: string
  applies(judged: Judged, place: SourcePlace): boolean
}

const C = ['c', 'cpp']
const escapePattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^~/, '~\\s*')
const has = (line: string, pattern: string, name: string): boolean =>
  new RegExp(pattern.replaceAll('NAME', escapePattern(name))).test(line)

const INSTANCE = /^\s*(?:extern\s+)?template\s+[^<\s]/
const TYPE_BLOCK = /\b(?:class|struct|union|enum|namespace)\b|\bextern\b/
const isOutsideOfFunctions = ({ heads }: SourcePlace): boolean =>
  heads.every((head) => TYPE_BLOCK.test(head.replace(/<[^<>]*>/g, '')))

/** `TEST(a, b)` and `ENTRY`: a head that begins or ends with a name in capitals, and has no parameters of its own. */
function isMacroHead(head: string): boolean {
  const bracket = head.indexOf('(')
  const words = (bracket < 0 ? head : head.slice(0, bracket)).trim().split(/\s+/)
  return /^[A-Z_][A-Z0-9_]{2,}$/.test(words.at(-1) ?? '')
}

const isCall = ({ name }: Judged, { line, before, text }: SourcePlace): boolean =>
  has(line, '^\\s*(?:static\\s+|extern\\s+|inline\\s+)*(?:\\w+::)*NAME\\s*(?:\\(|$)', name) &&
  !/[\w*&>]\s*$/.test(before.replace(/^\s*#.*$/, '').replace(/\b[A-Z][A-Z0-9_]{2,}\s*$/, '')) &&
  !has(text, '\\b(?:class|struct|union)\\b[^;{}()]*\\bNAME\\b', name)

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  macro: ['^\\s*#\\s*define\\s+NAME\\b'],
  type: ['\\btypedef\\b.*\\bNAME\\b', '\\busing\\s+NAME\\s*(?:=|$)', '^\\s*type\\s+NAME\\b'],
  field: ['^\\s*(?:[\\w:<>,*&()]+[\\s*&]+)+NAME\\s*(?:\\[.*|:\\s*\\d+|=.*|\\{.*|;|,.*|[A-Z_]+\\s*\\(.*|$)'],
  variable: ['^\\s*(?:[\\w:<>,*&()]+[\\s*&]+)+NAME\\s*(?:\\[.*|=.*|\\{.*|;|,.*|[A-Z_]+\\s*\\(.*|$)'],
  enumerator: ['^\\s*NAME\\s*(?:=.*|,.*|$)'],
  function: [
    '^\\s*(?!return|else|new|delete|throw|case|goto)(?:[\\w:<>,*&~()]+[\\s*&]+)+(?:[\\w<>, ]+::)*NAME\\s*\\(',
    '^NAME\\s*\\(',
  ],
}
const FORMS: Readonly<Record<string, string>> = {
  declaration: 'variable',
  method: 'function',
  prototype: 'function',
}
const TYPES = new Set(['class', 'struct', 'union', 'enum'])

/** Whoever reads the line sees a definition of that name. */
function isPlain({ kind, name }: Judged, place: SourcePlace): boolean {
  const { line, text } = place
  if (kind === 'macro' || kind === 'type') return (PLAIN[kind] ?? []).some((form) => has(line, form, name))
  if (kind === 'namespace') return has(line, '\\bnamespace\\b.*\\bNAME\\b', name)
  if (TYPES.has(kind)) return has(line, '\\b(?:class|struct|union|enum)\\b.*\\bNAME\\b', name)
  if (kind === 'enumerator')
    return /\benum\b/.test(place.heads.at(-1) ?? '') && (PLAIN.enumerator ?? []).some((form) => has(line, form, name))
  if (!isOutsideOfFunctions(place)) return kind === 'field' && (PLAIN.field ?? []).some((form) => has(line, form, name))
  const form = FORMS[kind] ?? kind
  if (form === 'function' && /^(?:~|operator\b|operator\W)/.test(name)) return true
  if (form === 'function' && has(text, '\\b(?:class|struct|union)\\b[^;{}()]*\\bNAME\\b', name))
    return has(line, '\\bNAME\\s*\\(', name)
  return (PLAIN[form] ?? []).some((pattern) => has(line, pattern, name))
}

const RUST_FORMS: Readonly<Record<string, string>> = {
  constant: '\\bconst\\s+NAME\\s*:',
  variable: '\\bstatic\\s+(?:mut\\s+)?NAME\\s*:',
  function: '\\bfn\\s+NAME\\s*[(<]',
  method: '\\bfn\\s+NAME\\s*[(<]',
}

const KNOWN_ERRORS: readonly KnownError[] = [
  {
    languages: C,
    side: 'ctags',
    what: 'the call of a macro, or of a function, which ctags takes for a definition: there is no type before the name',
    applies: (judged, place) => judged.kind !== 'macro' && isCall(judged, place),
  },
  {
    languages: C,
    side: 'ctags',
    what: 'a macro in capitals with arguments, behind a declaration or in it (`int x GUARDED_BY(lock);`)',
    applies: ({ name, kind }, { line }) =>
      kind !== 'macro' && /^[A-Z_][A-Z0-9_]{2,}$/.test(name) && has(line, '\\bNAME\\s*\\(', name),
  },
  {
    languages: C,
    side: 'ctags',
    what: 'what is called in an argument, a value or a chain, taken for a prototype',
    applies: ({ name, kind }, { line }) =>
      (kind === 'prototype' || kind === 'function') &&
      has(line, '(?:[(=.!,&|]|->|::)\\s*NAME\\s*\\(', name) &&
      /[;,({]\s*$|\breturn\b/.test(line),
  },
  {
    languages: C,
    side: 'ctags',
    what: 'local to a function that a macro makes (`TEST(a, b) { int x; }`), whose body ctags reads as if it stood outside',
    applies: ({ kind }, { heads }) => kind !== 'macro' && heads.some(isMacroHead),
  },
  {
    languages: C,
    side: 'ctags',
    what: 'the type of a function whose name stands in brackets (`size_t (length)(void)`), taken for its name',
    applies: ({ name }, { line }) =>
      has(line, '\\bNAME[\\s*]*\\(\\s*\\*?\\w+\\s*\\)\\s*\\(', name) || has(line, '\\(\\s*NAME\\s*\\)\\s*\\(', name),
  },
  {
    languages: C,
    side: 'ctags',
    what: 'a template made for a type (`template class Box<int>;`), or the namespace that another name is given to: no definition',
    applies: ({ kind, name }, { line, before }) =>
      INSTANCE.test(line) ||
      (INSTANCE.test(before) && !before.includes(';')) ||
      kind === 'alias' ||
      has(line, '\\bnamespace\\s+NAME\\s*::', name),
  },
  {
    languages: C,
    side: 'ours',
    what: 'a function whose name stands in brackets (`size_t (length)(void)`): ctags tells its type, or a variable',
    applies: ({ name }, { line }) => has(line, '\\(\\s*NAME\\s*\\)\\s*\\(', name),
  },
  {
    languages: C,
    side: 'ours',
    what: 'what a macro makes (`TEST_BEGIN(name) {`, `X(NAME, 1),`): we tell the name that it is given, ctags that of the macro',
    applies: ({ name }, { line }) =>
      has(line, '^\\s*(?:static\\s+)?[A-Z_][A-Z0-9_]+\\s*\\(\\s*NAME\\s*(?:[,)]|$)', name.split('.')[0] ?? name),
  },
  {
    languages: C,
    side: 'ours',
    what: 'in one of several branches of the preprocessor: ctags tells only one of them',
    applies: (judged, place) => place.isBranch && isPlain(judged, place),
  },
  {
    languages: C,
    side: 'ours',
    what: 'a definition in plain words, after something that ctags does not understand',
    applies: isPlain,
  },
  {
    languages: ['rust'],
    side: 'ours',
    what: 'a constant whose type is a reference: ctags tells the type in its place',
    applies: ({ name }, { line }) => has(line, '\\b(?:const|static)\\s+(?:mut\\s+)?NAME\\s*:\\s*(?:&|\\[&)', name),
  },
  {
    languages: ['rust'],
    side: 'ctags',
    what: 'the type of a constant that is a reference, taken for its name',
    applies: ({ name }, { line }) =>
      has(line, "\\b(?:const|static)\\s.*:\\s*\\[?&\\s*(?:'\\w+\\s+)?(?:mut\\s+)?NAME\\b", name),
  },
  {
    languages: ['rust'],
    side: 'ours',
    what: 'a definition in plain words, after something that ctags does not understand',
    applies: ({ name, kind }, { line }) => has(line, RUST_FORMS[kind] ?? '(?!)', name),
  },
  {
    languages: ['rust'],
    side: 'ours',
    what: 'for a type without a name (`impl Read for ()`): ctags tells the trait',
    applies: ({ kind, name }) => kind === 'impl' && !/^\w+$/.test(name),
  },
  {
    languages: ['rust'],
    side: 'ctags',
    what: 'for a type without a name (`impl Read for ()`): ctags tells the trait',
    applies: ({ kind, name }, { line }) =>
      kind === 'implementation' && (has(line, '\\bNAME\\b.*\\bfor\\b', name) || /\bfor\s*[(&[!]/.test(line)),
  },
  {
    languages: ['rust'],
    side: 'ours',
    what: 'the field of an enumerator, or a macro with an attribute: ctags leaves them out',
    applies: ({ kind, name }, { line }) =>
      kind === 'macro'
        ? has(line, '\\bmacro_rules!\\s*NAME\\b', name)
        : kind === 'field' && has(line, '(?:^|[\\s{,(])NAME\\s*:[^:]', name),
  },
]

/** Undefined: nobody knows why, and it counts. */
export function explainDifference(language: string, judged: Judged, place: SourcePlace): KnownError | undefined {
  return KNOWN_ERRORS.find(
    (error) => error.side === judged.side && error.languages.includes(language) && error.applies(judged, place),
  )
}
