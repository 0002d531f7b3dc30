/** One `guides/*.md`: front matter (id, title, summary, tags) and the text that agents get. */
import { field, listType } from '@switchboard/config'
import type { Guide } from '../manifest/tool-declaration.ts'
import type { MetaProblem } from '../meta/meta-problem.ts'
import { readTable } from '../meta/read-table.ts'
import { text } from '../meta/tool-fields.ts'
import { YamlSource } from '../meta/yaml-source.ts'

export type GuideReading =
  | { readonly guide: Guide; readonly problems?: undefined }
  | { readonly problems: readonly MetaProblem[] }

const id = text('the name of the file without .md: small letters, digits and hyphens', {
  pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$',
})
const title = text('what it is about, in at most 80 characters', { maxLength: 80 })
const summary = text('one sentence for the list, of at most 200 characters', { maxLength: 200 })
const tags = listType(text('a word to find it by'), { expected: 'a list: words to find it by', short: 'list' })

const GUIDE_TABLE = {
  name: 'guide',
  owner: 'a guide',
  fields: {
    id: field(id, { required: true, fallback: 'none', doc: 'The name of the file, without .md.' }),
    title: field(title, { required: true, fallback: 'none', doc: 'What it is about.' }),
    summary: field(summary, { required: true, fallback: 'none', doc: 'One sentence, for the list.' }),
    tags: field(tags, { fallback: [], doc: 'Words to find it by.' }),
  },
}

export function readGuide(file: string, content: string): GuideReading {
  const [, front, body] = /^---\r?\n(.*?)^---[ \t]*\r?\n(.*)$/ms.exec(content) ?? []
  if (front === undefined || body === undefined) {
    return {
      problems: [
        { file, line: 1, column: 1, key: '', message: 'must begin with front matter between two lines "---"' },
      ],
    }
  }
  const source = new YamlSource(file, front, 2)
  if (source.syntaxProblems.length > 0) return { problems: source.syntaxProblems }
  const { values, problems: wrong } = readTable(source, GUIDE_TABLE)
  const problems = [...wrong]
  if (body.trim() === '') problems.push(source.problem([], 'has no text below its front matter'))
  if (values === undefined || problems.length > 0) return { problems }
  const { id, title, summary, tags } = values
  const name = file.split('/').at(-1)
  if (name !== `${id}.md`) return { problems: [source.problem(['id'], `is ${id}, but the file is called ${name}`)] }
  return { guide: { id, title, summary, tags, text: `${body.replaceAll('\r\n', '\n').trim()}\n` } }
}
