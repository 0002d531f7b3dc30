/** One `guides/*.md`: front matter (id, title, summary, tags) and the text that agents get. */
import type { Guide } from '../manifest/tool-declaration.ts'
import type { MetaProblem } from '../meta/meta-problem.ts'
import { checkShape, type Shape } from '../meta/shape.ts'
import { YamlSource } from '../meta/yaml-source.ts'

export type GuideReading =
  | { readonly guide: Guide; readonly problems?: undefined }
  | { readonly problems: readonly MetaProblem[] }

const GUIDE_SHAPE: Shape = {
  kind: 'object',
  fields: {
    id: {
      required: true,
      what: 'the name of the file, without .md',
      shape: { kind: 'text', what: 'small letters, digits and hyphens', pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/ },
    },
    title: { required: true, what: 'what it is about', shape: { kind: 'text', max: 80 } },
    summary: { required: true, what: 'one sentence, for the list', shape: { kind: 'text', max: 200 } },
    tags: { what: 'words to find it by', shape: { kind: 'list', of: () => ({ kind: 'text' }) } },
  },
}

/** What its front matter holds once the shape was checked. */
interface FrontMatter {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly tags?: readonly string[]
}

export function readGuide(file: string, text: string): GuideReading {
  const [, front, body] = /^---\r?\n(.*?)^---[ \t]*\r?\n(.*)$/ms.exec(text) ?? []
  if (front === undefined || body === undefined) {
    return {
      problems: [
        { file, line: 1, column: 1, key: '', message: 'must begin with front matter between two lines "---"' },
      ],
    }
  }
  const source = new YamlSource(file, front, 2)
  if (source.syntaxProblems.length > 0) return { problems: source.syntaxProblems }
  const problems: MetaProblem[] = []
  checkShape(source.value, GUIDE_SHAPE, [], (path, message) => problems.push(source.problem(path, message)))
  if (body.trim() === '') problems.push(source.problem([], 'has no text below its front matter'))
  if (problems.length > 0) return { problems }
  // The shape was checked just now.
  const { id, title, summary, tags = [] } = source.value as FrontMatter
  const name = file.split('/').at(-1)
  if (name !== `${id}.md`) return { problems: [source.problem(['id'], `is ${id}, but the file is called ${name}`)] }
  return { guide: { id, title, summary, tags, text: `${body.replaceAll('\r\n', '\n').trim()}\n` } }
}
