import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillSearchData, SkillSearchParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { SHARED_SCOPE } from '../projects/projects.ts'
import { describeSkill } from '../skills/describe-skill.ts'
import { SKILL_KIND, toData, toSkill } from '../skills/skill.ts'

/** Of one category many others may have to be left out: it is no tag, and the store knows nothing of it. */
const MAX_LOOKED_AT = 200

export async function run(
  { query, topK, category, tags = [] }: SkillSearchParams,
  { host, signal }: Context,
): Promise<ToolOutcome<SkillSearchData>> {
  const space = await host.skills.load()
  const found = await host.finder.find(space, {
    text: query,
    scopes: [SHARED_SCOPE],
    kinds: [SKILL_KIND],
    tags,
    limit: category === undefined ? topK : MAX_LOOKED_AT,
    signal,
  })
  const isWanted = (skill: { category: string }) => category === undefined || skill.category === category
  const results = found.hits
    .map((hit) => ({ hit, skill: toSkill(hit.item) }))
    .filter(({ skill }) => isWanted(skill))
    .slice(0, topK)
  const data = {
    results: results.map(({ hit, skill }) => ({
      ...toData(skill),
      content: skill.content,
      score: hit.score,
      matched: hit.matched,
    })),
    query,
    topK,
    ...(found.note === undefined ? {} : { note: found.note }),
  }
  const lines = results.map(({ skill }) => describeSkill(skill))
  const text =
    lines.length === 0
      ? await explainNothing(host.skills, category, tags)
      : `${lines.join('\n')}\nskill_apply {id} gives the content.`
  return { data, text: found.note === undefined ? text : `${text}\n${found.note}` }
}

async function explainNothing(
  skills: Context['host']['skills'],
  category: string | undefined,
  tags: readonly string[],
): Promise<string> {
  const all = await skills.all()
  if (all.length === 0) return 'No skill was made yet: skill_create makes one.'
  if (category === undefined && tags.length === 0) return `None of ${all.length} skills has any of these words.`
  const categories = [...new Set(all.map((skill) => skill.category))].slice(0, 10)
  return `None of ${all.length} skills has these words with that category and those tags. Categories: ${categories.join(', ')}.`
}
