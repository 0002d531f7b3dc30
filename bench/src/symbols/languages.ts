/** How our words for symbols and those of ctags go together, by language. */
import type { ExtractedSymbol } from '@switchboard/source/extract'

export interface ComparedLanguage {
  /** As we call it, and as ctags does. */
  readonly name: string
  readonly ctags: readonly string[]
  readonly endings: readonly string[]
  /** Kinds that mean the same: ours, then those of ctags. */
  readonly groups: readonly (readonly [ours: readonly string[], theirs: readonly string[]])[]
  /** Not compared: what only one of the two tells at all. */
  readonly leftOut: string
  /** What tells the truth, where that is not ctags. */
  readonly measure?: 'typescript'
  /** Symbols inside of functions are not looked for by ctags. */
  readonly skipsBodies?: boolean
  /** False: ctags itself is known to miss too much to be a measure. */
  readonly isJudged: boolean
}

const C_GROUPS: ComparedLanguage['groups'] = [
  [
    ['function', 'method', 'prototype'],
    ['function', 'prototype'],
  ],
  [
    ['variable', 'declaration', 'field'],
    ['variable', 'externvar', 'member'],
  ],
  [
    ['struct', 'class', 'union', 'enum'],
    ['struct', 'class', 'union', 'enum'],
  ],
  [['enumerator'], ['enumerator']],
  [['type'], ['typedef', 'alias']],
  [['macro'], ['macro']],
  [['namespace'], ['namespace']],
]

export const COMPARED: readonly ComparedLanguage[] = [
  {
    name: 'python',
    ctags: ['Python'],
    endings: ['py'],
    groups: [
      [['class'], ['class']],
      [
        ['function', 'method'],
        ['function', 'member'],
      ],
      [['variable'], ['variable']],
    ],
    leftOut: 'what is imported, which ctags tells as namespaces and modules',
    isJudged: true,
  },
  {
    name: 'go',
    ctags: ['Go'],
    endings: ['go'],
    groups: [
      [
        ['function', 'method'],
        ['func', 'methodSpec'],
      ],
      [
        ['struct', 'interface', 'type'],
        ['struct', 'interface', 'type', 'talias'],
      ],
      [
        ['field', 'embedded'],
        ['member', 'anonMember'],
      ],
      [['constant'], ['const']],
      [['variable'], ['var']],
    ],
    leftOut: 'the name of the package; what stands in functions',
    skipsBodies: true,
    isJudged: true,
  },
  {
    name: 'java',
    ctags: ['Java'],
    endings: ['java'],
    groups: [
      [['class', 'record'], ['class']],
      [['interface'], ['interface']],
      [['enum'], ['enum']],
      [['annotation'], ['annotation']],
      [['method', 'constructor'], ['method']],
      [['enumerator'], ['enumConstant']],
      [['field'], ['field']],
    ],
    leftOut: 'the name of the package; what stands in methods, and classes without a name with what they hold',
    skipsBodies: true,
    isJudged: true,
  },
  {
    name: 'ruby',
    ctags: ['Ruby'],
    endings: ['rb'],
    groups: [
      [['class'], ['class']],
      [['module'], ['module']],
      [
        ['method', 'accessor', 'alias'],
        ['method', 'singletonMethod', 'accessor', 'alias'],
      ],
      [['constant'], ['constant']],
    ],
    leftOut: 'required libraries, and the descriptions of RSpec',
    isJudged: true,
  },
  {
    name: 'rust',
    ctags: ['Rust'],
    endings: ['rs'],
    groups: [
      [['module'], ['module']],
      [['struct', 'union'], ['struct']],
      [['enum'], ['enum']],
      [['enumerator'], ['enumerator']],
      [['trait'], ['interface']],
      [['impl'], ['implementation']],
      [
        ['function', 'method'],
        ['function', 'method'],
      ],
      [['field'], ['field']],
      [['constant', 'variable'], ['variable']],
      [['type'], ['typedef']],
      [['macro'], ['macro']],
    ],
    leftOut: 'variables and constants of functions',
    isJudged: true,
  },
  {
    name: 'c',
    ctags: ['C', 'C++'],
    endings: ['c', 'h'],
    groups: C_GROUPS,
    leftOut: 'included files; variables and prototypes of functions',
    isJudged: true,
  },
  {
    name: 'cpp',
    ctags: ['C++', 'C'],
    endings: ['cc', 'cpp', 'cxx', 'hpp', 'hh', 'h'],
    groups: C_GROUPS,
    leftOut: 'included files; variables and prototypes of functions',
    isJudged: true,
  },
  {
    name: 'typescript',
    ctags: ['TypeScript'],
    measure: 'typescript',
    endings: ['ts', 'tsx', 'mts', 'cts'],
    groups: [
      [['class'], ['class']],
      [['interface'], ['interface']],
      [['enum'], ['enum']],
      [['enumerator'], ['enumerator']],
      [['type'], ['alias']],
      [['namespace'], ['namespace']],
      [
        ['method', 'constructor', 'getter', 'setter', 'property'],
        ['method', 'property'],
      ],
      [
        ['function', 'constant', 'variable'],
        ['function', 'generator', 'constant', 'variable'],
      ],
    ],
    leftOut:
      'variables of functions; what is assigned (`Box.prototype.open = …`), which the compiler tells as no declaration',
    isJudged: true,
  },
]

/** Which group a kind belongs to; undefined: it is not compared. */
export function groupOf({ groups }: ComparedLanguage, kind: string, side: 0 | 1): number | undefined {
  const index = groups.findIndex((group) => group[side].includes(kind))
  return index < 0 ? undefined : index
}

const FUNCTIONS = new Set(['function', 'method', 'constructor', 'getter', 'setter', 'macro'])

export function isInFunction(symbols: readonly ExtractedSymbol[], { parent }: ExtractedSymbol): boolean {
  for (let above = parent; above !== undefined; above = symbols[above]?.parent) {
    if (FUNCTIONS.has(symbols[above]?.kind ?? '')) return true
  }
  return false
}
