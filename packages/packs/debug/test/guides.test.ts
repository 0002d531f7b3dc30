import { expect, it } from 'vitest'
import { manifest } from '../src/generated/manifest.ts'

const names = new Set(manifest.tools.flatMap(({ name, aliases }) => [name, ...aliases]))
const core = new Set(manifest.tools.filter((tool) => tool.core).map(({ name }) => name))
const prefixes = [...new Set([...names].map((name) => name.split('_')[0]))].join('|')

it.each(manifest.guides.map(({ id, text }) => [id, text] as const))(
  'the guide %s names only tools that are there',
  (_id, text) => {
    const named = [...text.matchAll(new RegExp(`\`((?:${prefixes})_[a-z_]+)\``, 'g'))].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  },
)

it.each(manifest.guides.map(({ id, text }) => [id, text] as const))(
  'the guide %s says which profile has a tool that is not listed by default',
  (_id, text) => {
    const sentences = text.replace(/\s+/g, ' ').split(/(?<=[.;]) /)
    const missing = sentences.flatMap((sentence) => {
      const named = [...sentence.matchAll(new RegExp(`\`((?:${prefixes})_[a-z_]+)\``, 'g'))].map(
        ([, name = '']) => name,
      )
      return sentence.includes('debug-full') ? [] : named.filter((name) => !core.has(name))
    })
    expect(missing).toEqual([])
  },
)
