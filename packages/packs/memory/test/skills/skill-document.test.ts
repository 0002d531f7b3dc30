import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Skill } from '../../src/skills/skill.ts'
import { createSkillDocument, readSkillUri } from '../../src/skills/skill-document.ts'
import { toSkillName } from '../../src/skills/skill-name.ts'

const SKILL: Skill = {
  id: '1',
  name: 'deploy',
  title: 'Deploy',
  description: 'Deploys.',
  content: '# Deploy\n\nPush.',
  version: '1.2.0',
  author: 'ada',
  category: 'release',
  prerequisites: [],
  expectedOutcome: '',
  tags: ['ci', 'cd'],
  metadata: { team: 'core' },
  uses: 3,
  successes: 1,
  failures: 1,
  createdAt: 0,
  updatedAt: 0,
}

function frontmatterOf(text: string): unknown {
  const [, front = ''] = text.split('---\n', 2)
  return parse(front)
}

test('a document has front matter that a reader of YAML gets back, and the digest of its bytes', () => {
  const { text, frontmatter, digest, size, uri } = createSkillDocument(SKILL)
  expect(uri).toBe('skill://deploy/SKILL.md')
  expect(frontmatterOf(text)).toEqual(frontmatter)
  expect(frontmatter).toEqual({
    name: 'deploy',
    description: 'Deploys.',
    metadata: { team: 'core', version: '1.2.0', author: 'ada', category: 'release', tags: 'ci, cd' },
  })
  expect(text.endsWith('---\n\n# Deploy\n\nPush.\n')).toBe(true)
  expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`)
  expect(size).toBe(Buffer.byteLength(text))
})

test('nothing that is written into a skill ends its front matter or makes another key', () => {
  for (const description of [
    'a\n---\nname: evil',
    'x: y # z',
    '"quoted" \\ {a}',
    'λ 漢字 \u2028 \u0085 \u007f 🚀',
    '- *a &b !c',
  ]) {
    const { text, frontmatter } = createSkillDocument({
      ...SKILL,
      description,
      metadata: { [description]: description },
    })
    expect(frontmatterOf(text)).toEqual(frontmatter)
    expect(frontmatter).toMatchObject({ name: 'deploy', description })
  }
})

test('a description is cut to what the format of skills allows', () => {
  const { frontmatter, text } = createSkillDocument({ ...SKILL, description: 'x'.repeat(2_000) })
  expect(String(frontmatter.description)).toHaveLength(1_024)
  expect(frontmatterOf(text)).toEqual(frontmatter)
})

test('neither uses nor outcomes change the digest', () => {
  const used = { ...SKILL, uses: 100, successes: 90 }
  expect(createSkillDocument(used).digest).toBe(createSkillDocument(SKILL).digest)
})

test.each([
  ['Deploy to staging', 'deploy-to-staging'],
  ['  --Über  Größe!! ', 'uber-gro-e'],
  ['fix_CI #12', 'fix-ci-12'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ['x'.repeat(200), 'x'.repeat(64)],
])('%s is called %s', (title, name) => {
  expect(toSkillName(title)).toBe(name)
})

test('what has no letter to make a name of is refused', () => {
  for (const title of ['漢字', '***', ' ']) expect(() => toSkillName(title)).toThrow('no letter')
})

test('only the document of a name is a URI of a skill', () => {
  expect(readSkillUri('skill://deploy/SKILL.md')).toBe('deploy')
  for (const uri of [
    'skill://deploy',
    'skill://deploy/other.md',
    'skill://a/b/SKILL.md',
    'skill:///SKILL.md',
    'file://deploy/SKILL.md',
    'skill://../SKILL.md',
  ]) {
    expect(readSkillUri(uri), uri).toBeUndefined()
  }
})
