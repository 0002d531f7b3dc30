/** The field types of a server with a rule of their own. Values of headers never appear in a message. */
import {
  type FieldType,
  type KeyPath,
  type ReadContext,
  type RecordEntry,
  recordType,
  textType,
} from '@switchboard/config'

const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const headerValueType = textType({
  expected: 'a string of characters that an HTTP header can carry',
  expands: true,
  secret: true,
  check: (text) =>
    HEADER_VALUE.test(text) ? undefined : 'holds a line break or another character that cannot be sent',
})

export const headersType: FieldType<Readonly<Record<string, string>>> = recordType(headerValueType, {
  expected: 'an object of strings',
  short: 'object of strings',
  secret: true,
  keyPattern: HEADER_NAME,
  keyExpected: 'the name of an HTTP header',
  check: (entries, path, context) =>
    reportEqual(entries, path, context, ({ key }) => key.toLowerCase(), {
      problem: (other) => `is the same header as "${other}"`,
      expected: 'each header once, whatever its case',
    }),
})

export const renameType: FieldType<Readonly<Record<string, string>>> = recordType(
  textType({ expected: 'a new name of at most 64 letters, digits, "_" or "-"', pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  {
    expected: 'an object from tool name to new name',
    short: 'object of strings',
    keyPattern: '^.',
    keyExpected: 'the name of a tool',
    check: (entries, path, context) =>
      reportEqual(entries, path, context, ({ value }) => value, {
        problem: (other) => `has the same new name as "${other}"`,
        expected: 'a different new name for every tool',
      }),
  },
)

function reportEqual(
  entries: readonly RecordEntry<string>[],
  path: KeyPath,
  context: ReadContext,
  identify: (entry: RecordEntry<string>) => string,
  texts: { problem: (other: string) => string; expected: string },
): void {
  const first = new Map<string, string>()
  for (const entry of entries) {
    const other = first.get(identify(entry))
    if (other === undefined) {
      first.set(identify(entry), entry.key)
    } else if (other !== entry.key) {
      // The same key twice is reported as such.
      const { problem, expected } = texts
      context.problems.report({
        path: [...path, entry.key],
        offset: entry.keyOffset,
        problem: problem(other),
        expected,
      })
    }
  }
}
