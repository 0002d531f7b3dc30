/** The texts of one `.yml` file of the game as symbols, and what they name: other texts, concepts, traits, titles. */
import type { Extraction } from '@switchboard/source'
import { languageOfPath } from '../localization/language-of-path.ts'
import { ENTRY_STRIDE, parseLocalization } from '../localization/parse-localization.ts'
import { textOf } from '../script/tree.ts'
import { ExtractionBuilder } from './extraction-builder.ts'
import { gamePathOf } from './folders.ts'
import { addTextReferences } from './text-references.ts'

const MAX_DETAIL = 80

export function extractLocalization(bytes: Uint8Array, relativePath: string): Extraction {
  const parsed = parseLocalization(bytes)
  const builder = new ExtractionBuilder(bytes)
  const { entries, language } = parsed
  for (const problem of parsed.problems) builder.addProblem(problem)
  addPlaceProblems(builder, bytes, relativePath, language)
  // Texts hang on their language, so that the same key in two languages is two texts.
  const outer =
    language === ''
      ? -1
      : builder.addSymbol({
          name: `l_${language}`,
          kind: 'language',
          start: parsed.headerStart,
          end: parsed.headerEnd,
          nameStart: parsed.headerStart,
          parent: -1,
        })
  for (let base = 0; base < parsed.size * ENTRY_STRIDE; base += ENTRY_STRIDE) {
    const start = entries[base] ?? 0
    const textStart = entries[base + 2] ?? 0
    const textEnd = entries[base + 3] ?? 0
    const text = textOf(bytes, textStart, textEnd)
    const symbol = builder.addSymbol({
      name: textOf(bytes, start, entries[base + 1] ?? 0),
      kind: 'localization',
      start,
      end: Math.min(textEnd + 1, bytes.length),
      nameStart: start,
      parent: outer,
      detail: text.length > MAX_DETAIL ? text.slice(0, MAX_DETAIL) : text,
    })
    addTextReferences(builder, text, textStart, textEnd, symbol)
  }
  return builder.build('paradox-localization')
}

/** What the game makes of the file's place and name. */
function addPlaceProblems(builder: ExtractionBuilder, bytes: Uint8Array, path: string, language: string): void {
  const place = { severity: 'warning', start: 0, end: Math.min(1, bytes.length) } as const
  const named = languageOfPath(path)
  if (gamePathOf(path).startsWith('localisation/')) {
    builder.addProblem({
      ...place,
      code: 'localization.folder-name',
      message: 'Crusader Kings 3 does not read the folder "localisation"',
      expected: 'the folder "localization"',
      hint: 'older games spell it with an s; move the file',
    })
  }
  if (named === undefined && !/(?:^|\/)languages\.yml$/i.test(path)) {
    builder.addProblem({
      ...place,
      code: 'localization.file-name',
      message: 'the file name does not end with a language, so the game ignores the file',
      expected: 'a name such as "name_l_english.yml"',
      hint: 'rename it',
    })
  } else if (named !== undefined && language !== '' && named.toLowerCase() !== language.toLowerCase()) {
    builder.addProblem({
      ...place,
      code: 'localization.language-differs',
      message: `the file name says "${named}", its header "l_${language}:"`,
      expected: 'the same language in both',
      hint: 'rename the file, or change the header',
    })
  }
}
