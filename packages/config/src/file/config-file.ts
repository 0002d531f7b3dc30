/**
 * A configuration file, composed of the sections that its owners declare. The strict reader: a text or an object in, a
 * whole configuration out, or one `invalid_configuration` that names every problem. Whoever wants the rest in spite of a wrong
 * entry of a section with `entries` says so. An empty text is refused on
 * purpose: a file that is just being rewritten must not look like a wish to stop everything.
 */
import { dirname, resolve } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { ProblemList } from '../problems.ts'
import { type FieldTable, field } from '../shape/field.ts'
import { type ReadContext, textType } from '../shape/field-types.ts'
import { type ObjectTable, readFallbacks, readFields } from '../shape/object-type.ts'
import { parseSource, reportDuplicateKeys } from '../source/json-source.ts'
import { createNodeOfValue, type SourceNode } from '../source/source-node.ts'
import type { Environment } from '../source/variables.ts'
import { createTableSchema } from './json-schema.ts'
import { readConfigText } from './read-config-text.ts'
import { readNamedText } from './read-named-text.ts'
import type { Section, SectionInput, SectionPlace, SectionValues } from './section.ts'
import { createTableDocs } from './table-docs.ts'

export interface ConfigFileDeclaration<S extends readonly Section[]> {
  /** Of the JSON Schema. */
  readonly title: string
  readonly description: string
  readonly sections: S
  /** What is wrong between keys of different sections. */
  readonly check?: (config: SectionValues<S>, place: SectionPlace) => void
}

export interface ReadConfigOptions {
  /** JSON with comments. */
  readonly text: string
  /** For messages. */
  readonly file: string
  readonly env: Environment
  /** Relative paths are resolved against it: the folder of the file. */
  readonly baseDirectory: string
  /** keep: an unresolved variable stays as it is written instead of being refused. Default: refuse. */
  readonly unresolvedVariables?: 'refuse' | 'keep'
  /** settle: a wrong entry, where entries stand for themselves, is told beside the rest. Default: refuse. */
  readonly wrongEntries?: 'refuse' | 'settle'
  /** How files are read that the configuration names. Default: they are not. */
  readonly readText?: ReadText
}

/** The text of a file. Throws what is wrong with it, as half a sentence. */
export type ReadText = (path: string) => string

export interface CheckConfigOptions {
  /** Default: the environment of this process. */
  readonly env?: Environment
  /** Where the object came from, for messages. */
  readonly source?: string
  /** Default: the current directory. */
  readonly baseDirectory?: string
  readonly wrongEntries?: ReadConfigOptions['wrongEntries']
  /** Default: they are read. */
  readonly readText?: ReadText
}

export interface LoadConfigOptions {
  readonly file: string
  /** Default: the environment of this process. */
  readonly env?: Environment
  /** true: a file that does not exist is an empty configuration. Default: it is an error. */
  readonly optional?: boolean
  readonly unresolvedVariables?: ReadConfigOptions['unresolvedVariables']
  readonly wrongEntries?: ReadConfigOptions['wrongEntries']
  /** Hears of each file that the configuration names. */
  readonly onNamedFile?: (path: string) => void
}

export interface ConfigFile<S extends readonly Section[]> {
  readonly table: ObjectTable
  read(options: ReadConfigOptions): SectionValues<S>
  check(object: FileInput<S>, options?: CheckConfigOptions): SectionValues<S>
  load(options: LoadConfigOptions): Promise<SectionValues<S>>
  createSchema(): JsonObject
  /** Markdown: a table of keys for each object. */
  createDocs(): string
}

export type FileInput<S extends readonly Section[]> = { $schema?: string | undefined } & SectionInput<S>

const SCHEMA_FIELD = field(textType({ expected: 'the address of the JSON Schema' }), {
  doc: 'Where an editor finds the JSON Schema of this file.',
  examples: ['./switchboard.schema.json'],
})

export function createConfigFile<const S extends readonly Section[]>(
  declaration: ConfigFileDeclaration<S>,
): ConfigFile<S> {
  const { sections, title, description } = declaration
  const table = {
    name: 'file',
    owner: 'the configuration',
    fields: Object.assign({ $schema: SCHEMA_FIELD }, ...sections.map(({ fields }) => fields)) as FieldTable,
    foreign: Object.assign({}, ...sections.map(({ foreign }) => foreign)),
  }
  // Each section's own values, one beside the other.
  const join = (values: readonly unknown[]): SectionValues<S> => Object.assign({}, ...values) as SectionValues<S>
  const checkRoot = (root: SourceNode, context: ReadContext, isSettling = false): SectionValues<S> => {
    const { problems } = context
    const { values } = readFields(root, [], table, context) ?? { values: readFallbacks(table.fields) }
    const place = { root, context }
    const finished = sections.map((section) => section.finish(values, place))
    declaration.check?.(join(finished), place)
    const settled = finished.map((own, index) => {
      const entries = sections[index]?.entries
      return isSettling && entries !== undefined ? entries.settle(own, problems.takeEntries(entries.key)) : own
    })
    problems.throwOnAny()
    return join(settled)
  }
  const read = (options: ReadConfigOptions): SectionValues<S> => {
    const { text, file, env, baseDirectory, unresolvedVariables: unresolved = 'refuse', wrongEntries } = options
    const problems = new ProblemList(file, text)
    const source = parseSource(text)
    if (source.root === undefined) return problems.throwOne({ path: [], ...source.syntax })
    reportDuplicateKeys(source.tree, text, problems)
    const context = { problems, env, unresolved, baseDirectory, readText: options.readText }
    return checkRoot(source.root, context, wrongEntries === 'settle')
  }
  const check = (object: unknown, options: CheckConfigOptions = {}): SectionValues<S> => {
    const { env = process.env, source, baseDirectory = process.cwd(), readText = readNamedText } = options
    const problems = new ProblemList(source)
    const context: ReadContext = { problems, env, unresolved: 'refuse', baseDirectory, readText }
    return checkRoot(createNodeOfValue(object), context, options.wrongEntries === 'settle')
  }
  return {
    table,
    read,
    check,
    load: async (options) => {
      const { env = process.env, optional = false, unresolvedVariables = 'refuse', wrongEntries = 'refuse' } = options
      const file = resolve(options.file)
      const baseDirectory = dirname(file)
      const text = await readConfigText(file, optional)
      const readText = (path: string): string => {
        options.onNamedFile?.(path)
        return readNamedText(path)
      }
      return text === undefined
        ? check({}, { env, source: file, baseDirectory })
        : read({ text, file, env, baseDirectory, unresolvedVariables, wrongEntries, readText })
    },
    createSchema: () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title,
      description,
      ...createTableSchema(table),
    }),
    createDocs: () => createTableDocs(table),
  }
}
